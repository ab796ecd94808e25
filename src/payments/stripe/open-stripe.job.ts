import type { KeySource } from '../../encryption.ts'
import type { OutboundClient } from '../../http/outbound/outbound-client.ts'
import type { Daybook } from '../../operations.ts'
import type { PaymentJobOptions } from '../checkout/payment-work.job.ts'
import { openKeys } from '../settings/payment-settings.operations.ts'
import { findProcessor } from '../settings/payment-settings.sql.ts'
import { stripeProcessor } from './stripe.job.ts'

/** The dependencies of `processorOpener`, which opens the payment processor of the site. */
export interface OpenerOptions {
  readonly app: Pick<Daybook, 'db'>
  readonly client: OutboundClient
  readonly findKey: KeySource
  readonly apiUrl: string
}

/**
 * Returns a function that opens the processor of the site with its current keys. The function returns undefined when no
 * processor is connected or its keys cannot be decrypted.
 */
export function processorOpener({ app, client, findKey, apiUrl }: OpenerOptions): PaymentJobOptions['connect'] {
  return async (signal) => {
    const stored = await findProcessor(app.db)
    const keys = stored && (await openKeys(findKey, stored))
    return keys && stripeProcessor({ secretKey: keys.secretKey, client, apiUrl, signal })
  }
}
