import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { CouponTable } from '../../db/query/payment-tables.ts'
import type { Coupon } from './coupon.ts'

/** Returns the coupon with this code, normalised by `couponCode`; undefined for an unknown code. */
export async function findCouponOf(db: Database, code: string): Promise<Coupon | undefined> {
  const row = await db.build.selectFrom('coupon').selectAll().where('code', '=', code).executeTakeFirst()
  return row && toCoupon(row)
}

/** Returns the coupon with this id; undefined for an unknown id. */
export async function findCoupon(db: Database, id: string): Promise<Coupon | undefined> {
  const row = await db.build.selectFrom('coupon').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toCoupon(row)
}

/**
 * Whether any active coupon is valid on this date or later. If not, the booking page does not ask for a coupon code.
 */
export async function hasCoupons(db: Database, today: string): Promise<boolean> {
  const row = await db.build
    .selectFrom('coupon')
    .select('id')
    .where('active', '=', 1)
    .where((e) => e.or([e('valid_until', 'is', null), e('valid_until', '>=', today)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** A coupon with the number of its uses. */
export interface CountedCoupon extends Coupon {
  readonly uses: number
}

/** Returns one page of the coupons whose codes start with a normalised text, with their uses, the newest first. */
export async function listCoupons(
  db: Database,
  start: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<CountedCoupon[]> {
  const rows = await db.build
    .selectFrom('coupon')
    .selectAll('coupon')
    .select((e) => countedUses(db, e.ref('coupon.id')).as('uses'))
    .where(startsWith(start))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({ ...toCoupon(row), uses: Number(row.uses) }))
}

/** Counts the coupons whose codes start with a normalised text. */
export async function countCoupons(db: Database, start: string): Promise<number> {
  const counted = db.build.selectFrom('coupon').select((e) => e.fn.countAll().as('total'))
  return Number((await counted.where(startsWith(start)).executeTakeFirstOrThrow()).total)
}

function startsWith(start: string) {
  return sql<SqlBool>`substr(code, 1, ${[...start].length}) = ${start}`
}

/** Inserts a row of the table `coupon`. */
export async function insertCoupon(db: Database, coupon: Coupon): Promise<void> {
  const { id, code, worth, currency, createdAt } = coupon
  await db.build
    .insertInto('coupon')
    .values({
      ...{ id, code, currency, created_at: createdAt, ...changeable(coupon) },
      percent: 'percent' in worth ? worth.percent : null,
      amount: 'amount' in worth ? worth.amount : null,
    })
    .execute()
}

/** Stores the fields of a coupon that can be changed. */
export async function updateCoupon(db: Database, coupon: Coupon): Promise<void> {
  await db.build.updateTable('coupon').set(changeable(coupon)).where('id', '=', coupon.id).execute()
}

/** Records that the reservations of one booking use a coupon; together they count as one use. */
export async function insertUses(db: Database, couponId: string, reservationIds: readonly string[]): Promise<void> {
  const [booking] = reservationIds
  if (booking === undefined) return
  await db.build
    .insertInto('coupon_use')
    .values(reservationIds.map((id) => ({ reservation_id: id, coupon_id: couponId, booking })))
    .execute()
}

/** Returns the number of bookings that used a coupon, in all and by any of these customers. */
export async function countUses(
  db: Database,
  couponId: string,
  customerIds: readonly string[],
): Promise<{ readonly uses: number; readonly usesOfCustomer: number }> {
  const own = db.dialect.listed(sql.ref('reservation.customer_id'), customerIds, 'text')
  const row = await db.build
    .selectNoFrom([
      countedUses(db, sql.val(couponId)).as('uses'),
      countedUses(db, sql.val(couponId), own).as('of_customer'),
    ])
    .executeTakeFirstOrThrow()
  return { uses: Number(row.uses), usesOfCustomer: Number(row.of_customer) }
}

// Builds the subquery that counts the bookings that use a coupon. A booking does not count when each of its
// reservations was removed, or is cancelled and no unrefunded payment for it remains.
function countedUses(db: Database, couponId: Expression<string>, own: Expression<SqlBool> = sql`1 = 1`) {
  const [paid, refunded] = ['paid', 'refunded'].map((name) =>
    db.dialect.jsonInteger(sql.ref('reservation.payment'), name),
  )
  return sql<number>`(select count(distinct coupon_use.booking) from coupon_use
    join reservation on reservation.id = coupon_use.reservation_id
    where coupon_use.coupon_id = ${couponId} and ${own}
      and (reservation.status <> 'cancelled' or ${paid} > ${refunded}))`
}

function changeable(coupon: Coupon) {
  const { validFrom, validUntil, maxUses, maxUsesPerCustomer, serviceIds, active } = coupon
  return {
    ...{ valid_from: validFrom, valid_until: validUntil, max_uses: maxUses },
    ...{ max_uses_per_customer: maxUsesPerCustomer, service_ids: JSON.stringify(serviceIds), active: active ? 1 : 0 },
  }
}

function toCoupon(row: CouponTable): Coupon {
  return {
    id: row.id,
    code: row.code,
    worth: row.percent === null ? { amount: row.amount ?? 0 } : { percent: row.percent },
    currency: row.currency,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    maxUses: row.max_uses,
    maxUsesPerCustomer: row.max_uses_per_customer,
    serviceIds: JSON.parse(row.service_ids) as readonly string[],
    active: row.active === 1,
    createdAt: row.created_at,
  }
}
