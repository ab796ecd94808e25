import type { Database } from '../../db/database.ts'

/** A customer's consent to receive short messages (SMS). */
export interface SmsConsent {
  readonly customerId: string
  /** The phone number at which the customer agreed to receive messages, in E.164 form. */
  readonly number: string
  readonly agreedAt: number
}

/** Returns a customer's consent to short messages; undefined when there is none. */
export async function findSmsConsent(db: Database, customerId: string): Promise<SmsConsent | undefined> {
  const row = await db.build
    .selectFrom('sms_consent')
    .selectAll()
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return row && { customerId, number: row.number, agreedAt: row.agreed_at }
}

/** Stores a customer's consent to short messages, replacing an earlier one. */
export async function saveSmsConsent(db: Database, { customerId, number, agreedAt }: SmsConsent): Promise<void> {
  const row = { number, agreed_at: agreedAt }
  await db.build
    .insertInto('sms_consent')
    .values({ customer_id: customerId, ...row })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(row))
    .execute()
}

/** Deletes a customer's consent to short messages, if there is one. */
export async function deleteSmsConsent(db: Database, customerId: string): Promise<void> {
  await db.build.deleteFrom('sms_consent').where('customer_id', '=', customerId).execute()
}
