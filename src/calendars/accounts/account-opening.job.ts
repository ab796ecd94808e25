import type { KeySource } from '../../encryption.ts'
import type { OutboundClient } from '../../http/outbound/outbound-client.ts'
import type { Daybook } from '../../operations.ts'
import type { GrantUrls } from '../oauth/oauth.ts'

/** The dependencies of jobs that send requests to accounts on other calendar systems. */
export interface AccountOpening {
  readonly client: OutboundClient
  readonly findKey: KeySource
  readonly version: string
  /** Milliseconds within which a response must arrive completely; 30,000 when absent. */
  readonly timeout?: number
  readonly grantUrls: GrantUrls
  readonly app: Pick<Daybook, 'db' | 'now' | 'perform'>
}
