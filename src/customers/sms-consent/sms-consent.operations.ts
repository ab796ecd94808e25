import type { Operation } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { wrongFields } from '../../messages/refusal.ts'
import { lockCustomer } from '../customers.operations.ts'
import { e164Of } from './mobile-number.ts'
import { deleteSmsConsent, findSmsConsent, saveSmsConsent } from './sms-consent.sql.ts'

/** The input of `setSmsConsent`: a customer's id and the phone number of the consent. */
export interface SetSmsConsent {
  readonly customerId: string
  /**
   * The phone number at which the customer agrees to receive messages, with its country code; null withdraws the
   * consent.
   */
  readonly number: string | null
}

/**
 * Stores or withdraws a customer's consent to short messages (SMS) at a phone number. The event log records the time
 * and the actor of each change.
 */
export const setSmsConsent: Operation<SetSmsConsent, Record<never, never>> = async (tx, { customerId, number }) => {
  await lockCustomer(tx, customerId)
  const before = await findSmsConsent(tx.db, customerId)
  const previous = before ? { number: before.number, agreedAt: before.agreedAt } : null
  if (number === null) {
    if (!before) return {}
    await deleteSmsConsent(tx.db, customerId)
    await tx.append({ type: 'sms_consent.withdrawn', objectId: customerId, object: null, previous })
    return {}
  }
  const found = await e164Of(number)
  if (found === undefined) throw wrongFields({ number: message('mobile_number_wrong') })
  if (before?.number === found) return {}
  await saveSmsConsent(tx.db, { customerId, number: found, agreedAt: tx.now })
  const object = { number: found, agreedAt: tx.now }
  await tx.append({ type: 'sms_consent.given', objectId: customerId, object, previous })
  return {}
}
