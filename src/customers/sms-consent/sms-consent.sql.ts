import type { Database } from '../../db/database.ts'

/** A customer's consent to short messages. */
export interface SmsConsent {
  readonly customerId: string
  /** The number in E.164 form. */
  readonly number: string
  readonly agreedAt: number
}

/** Returns the customer's consent; undefined without one. */
export async function findSmsConsent(db: Database, customerId: string): Promise<SmsConsent | undefined> {
  const row = await db.build
    .selectFrom('sms_consent')
    .selectAll()
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return row && { customerId, number: row.number, agreedAt: row.agreed_at }
}

/** Stores a consent; it replaces an earlier one of the customer. */
export async function saveSmsConsent(db: Database, { customerId, number, agreedAt }: SmsConsent): Promise<void> {
  const row = { number, agreed_at: agreedAt }
  await db.build
    .insertInto('sms_consent')
    .values({ customer_id: customerId, ...row })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(row))
    .execute()
}

/** Deletes the consent of a customer. */
export async function deleteSmsConsent(db: Database, customerId: string): Promise<void> {
  await db.build.deleteFrom('sms_consent').where('customer_id', '=', customerId).execute()
}
