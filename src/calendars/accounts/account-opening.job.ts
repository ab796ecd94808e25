import type { KeySource } from '../../encryption.ts'
import type { OutboundClient } from '../../http/outbound/outbound-client.ts'
import type { Daybook } from '../../operations.ts'

/** What the jobs need to open accounts. */
export interface AccountOpening {
  readonly client: OutboundClient
  readonly findKey: KeySource
  readonly version: string
  /** Milliseconds until an answer has arrived completely; 30 s when absent. */
  readonly timeout?: number
  /** The address of another server that speaks the API of Google Calendar; empty for Google's own. */
  readonly googleUrl?: string
  readonly app: Pick<Daybook, 'db' | 'now' | 'perform'>
}
