import assert from 'node:assert/strict'
import { type BrowserClient, insertSignedInUser } from './browser-client.ts'
import type { DatabaseKind } from './databases.ts'
import { freshDatabase } from './databases.ts'
import { waitUntil } from './payment-test-site.ts'
import { hangLimit } from './scale.ts'
import { type ServiceProcess, startService } from './service.ts'
import { openSql, type Sql, type SqlRow } from './sql.ts'
import { StripeStandIn } from './stripe.ts'
import type { AvailableSlot } from './test-site.ts'

/**
 * A site on which customers pay, with the stand-in of the payment processor. Restarting the service sets its clock and
 * that of the stand-in forward.
 */
export interface PaymentHistorySite {
  readonly kind: DatabaseKind
  readonly service: ServiceProcess
  readonly sql: Sql
  readonly stripe: StripeStandIn
  readonly customers: readonly string[]
  /** The codes of vouchers that were sold. */
  readonly vouchers: readonly string[]
  /** Returns the current time of the service and of the stand-in, in Unix seconds. */
  now(): number
  /**
   * Inserts an administrator with a session that counts as recently authenticated, and returns a client with that
   * session.
   */
  signIn(): Promise<BrowserClient>
  /** Kills the service, if it is running, and starts it with the clock moved forward by a number of seconds. */
  restart(seconds: number): Promise<void>
  /**
   * Lists the slots of every service in the 24 hours that begin `daysAhead` days after `now()`; `daysAhead` is 1 by
   * default.
   */
  slots(daysAhead?: number): Promise<readonly AvailableSlot[]>
  nameOf(serviceId: string): string
  close(): Promise<void>
}

const start = 1_791_180_000
const day = 86_400
const jobs = ['payment-sync', 'payment-expiry', 'payment-refund', 'payment-cancellation']
const vouchers = { count: 8, amount: 30_000 }
/** The no-show fee of the service that asks for a card, in cents. */
export const noShowFee = 2_000
const everyDay = (hours: string): object =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((name) => [name, [hours]]))
const services = {
  single: {},
  trio: { capacity: 3, payment: { mode: 'online', deposit: { percent: 20 } } },
  approved: { approval: 'admin' },
  carded: { payment: { mode: 'card', noShowFee: { amount: noShowFee } } },
}

const siteOf = (customers: number) => ({
  site: { name: 'Harbour Clinic', timezone: 'Europe/Berlin', currency: 'EUR' },
  services: Object.entries(services).map(([key, settings]) => ({
    ...{ key, name: key, durationMinutes: 30, horizonDays: 3_660, price: 4_500, payment: { mode: 'online' } },
    ...settings,
  })),
  providers: [1, 2, 3, 4, 5, 6].map((id) => ({
    ...{ id, name: `Provider ${id}`, email: `p${id}@clinic.example`, timezone: 'Europe/Berlin' },
    weekly: everyDay('09:00-17:00'),
  })),
  customers: Array.from({ length: customers }, (_, n) => ({
    ...{ key: `c${n}`, name: `Customer ${n}`, email: `c${n}@example.org` },
  })),
})

/** Opens the site with the stand-in of the payment processor connected. */
export async function openPaymentHistorySite(kind: DatabaseKind, { customers = 12 } = {}): Promise<PaymentHistorySite> {
  const fresh = await freshDatabase(kind)
  const clock = { at: start, since: performance.now() }
  const now = () => clock.at + Math.floor((performance.now() - clock.since) / 1000)
  const stripe = await StripeStandIn.open(now)
  const place = 'databaseUrl' in fresh.at ? { databaseUrl: fresh.at.databaseUrl } : {}
  const env = {
    ...{ DAYBOOK_LOG_LEVEL: 'fatal', DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_SECRET_KEY: '5e'.repeat(32) },
    DAYBOOK_STRIPE_URL: stripe.url,
  }
  const starting = startService({ ...place, site: siteOf(customers), now: start, env })
  const service = await starting.catch(async (reason: unknown) => {
    await stripe.close()
    throw reason
  })
  const sql = openSql({ ...place, dataDir: service.dataDir })
  const listed = async (path: string) => (await service.call('GET', path)).body.response
  const names = new Map((await listed('/services/get/')).map((row) => [row.id, String(row.name)]))
  const people = (await listed('/customers/get/')).map(({ id }) => id)
  const signIn = async () => {
    const session = { lastSeenAt: now(), expiresAt: now() + 40_000, authenticatedAt: now() }
    return (await insertSignedInUser({ server: service, sql }, 'admin', session)).browser
  }
  const { secretKey, webhookSecret } = stripe
  const admin = await signIn()
  const connected = await admin.post('/payments/connect/', { secretKey, webhookSecret })
  assert.equal(connected.status, 200, connected.text)
  const codes: string[] = []
  for (let count = 0; count < vouchers.count; count++) {
    const body = { amount: vouchers.amount, currency: 'EUR', validUntil: null, language: 'en' }
    const sold = await admin.post('/payments/vouchers/issue/', body)
    codes.push(Object(sold.body.response).code)
  }
  return {
    ...{ kind, service, sql, stripe, customers: people, vouchers: codes, now, signIn },
    nameOf: (id) => names.get(id) ?? '',
    restart: async (seconds) => {
      sql.rest()
      await service.kill()
      clock.at = now() + seconds
      clock.since = performance.now()
      await service.restart({ now: clock.at })
    },
    slots: async (daysAhead = 1) => {
      const from = now() + daysAhead * day
      const query = { min_timestamp: from, max_timestamp: from + day }
      const { status, body, text } = await service.call<{ response: AvailableSlot[] }>('GET', '/availability/get/', {
        query,
      })
      assert.equal(status, 200, text)
      return body.response
    },
    close: async () => {
      await service.kill()
      await sql.close()
      await stripe.close()
      await fresh.remove()
    },
  }
}

/**
 * Resolves when no payment, refund or removal of a card is in progress, except that payment links may be unpaid; fails
 * with the jobs that are left shortly before `hangLimit`.
 */
export function waitUntilSettled({ sql }: PaymentHistorySite): Promise<boolean> {
  const end = performance.now() + hangLimit - 10_000
  return waitUntil(async () => {
    const [left] = await sql(
      `select (select count(*) from job where kind in (${jobs.map(() => '?').join(', ')})
          and unique_key not in (select id from payment where purpose = 'link'))
        + (select count(*) from payment where state in ('starting', 'open') and purpose <> 'link')
        + (select count(*) from payment_share s join payment p on p.id = s.payment_id
          where s.state = 'waiting' and (p.purpose <> 'link' or p.state = 'paid'))
        + (select count(*) from saved_card c join payment_share s on s.payment_id = c.payment_id
          where s.state = 'returned' and removed_at is null)
        + (select count(*) from reservation r where awaits = 'payment' and status = 'pending') as n`,
      jobs,
    )
    if (Number(left?.n) > 0 && performance.now() > end)
      assert.fail(JSON.stringify(await sql("select * from job where kind like 'payment%'")))
    return Number(left?.n) === 0
  }, 'the end of all payments')
}

/**
 * What `assertBalanced` counted in the tables of payments, of their shares (the part of a payment that belongs to one
 * reservation) and of the ledger.
 */
export interface PaymentCounts {
  readonly payments: number
  readonly paid: number
  readonly booked: number
  readonly returned: number
  /** The numbers of saved cards, of fees charged to cards, and of paid payment links. */
  readonly cards: number
  readonly fees: number
  readonly links: number
  /** How often a voucher paid for a booking, and how often money went back to a voucher. */
  readonly redeemed: number
  readonly refilled: number
}

/**
 * Fails unless processor, ledger and reservations agree about every payment, card and voucher: every pending or
 * confirmed reservation in the future occupies its seat, a payment that came too late for its reservation was refunded
 * unless the bank rejected the refund, no fee was charged twice, no voucher was overdrawn, and no seat is occupied
 * after it has expired.
 */
export async function assertBalanced(site: PaymentHistorySite): Promise<PaymentCounts> {
  const { sql, stripe } = site
  const payments = await sql('select * from payment')
  const shares = await sql('select * from payment_share')
  const reservations = new Map((await sql('select * from reservation')).map((row) => [String(row.id), row]))
  const postings = await sql(
    `select p.kind, p.payment_id, p.reservation_id, p.voucher_id, e.amount
      from ledger_posting p join ledger_entry e on e.posting_id = p.id`,
  )
  const failedRefunds = new Set(
    (await sql("select payment_id from refund where state = 'failed'")).map((row) => String(row.payment_id)),
  )
  const byPayment = Map.groupBy(postings, (row) => String(row.payment_id))
  const seats = Map.groupBy(await sql('select * from occupancy'), (row) => String(row.reservation_id))
  const cards = new Map((await sql('select * from saved_card')).map((row) => [String(row.payment_id), row]))
  const known = new Set(payments.map((row) => row.checkout_id))
  for (const { id, payment_status } of stripe.sessions.values())
    assert.ok(payment_status === 'unpaid' || known.has(id), `The service does not know the completed page ${id}.`)
  const intents = Map.groupBy(
    [...stripe.cards.intents.values()].filter(({ status }) => status === 'succeeded'),
    ({ metadata }) => metadata.payment ?? '',
  )
  for (const row of payments) {
    const session = stripe.sessions.get(String(row.checkout_id))
    const charges = intents.get(String(row.id)) ?? []
    assert.ok(charges.length <= 1, `A fee was charged twice: ${JSON.stringify(charges)}`)
    const [charge] = charges
    const paid = charge?.amount ?? (session?.payment_status === 'paid' ? session.amount_total : 0)
    const refunded = paid === 0 ? 0 : stripe.refunded(String(charge?.id ?? session?.payment_intent))
    const sumOf = sumsOf(byPayment.get(String(row.id)) ?? [])
    const [share] = shares.filter((one) => one.payment_id === row.id)
    const reservation = reservations.get(String(share?.reservation_id))
    const card = stripe.cards.cards.get(session?.card ?? '')
    const what = JSON.stringify({ row, share, reservation, session, charge, card, refunded })
    const completed = row.purpose === 'card' ? session?.card !== undefined && session.card !== null : paid > 0
    const open = row.purpose === 'link' && !completed && (row.state === 'open' || row.state === 'starting')
    if (!open) assert.equal(row.state, completed ? 'paid' : 'closed', what)
    assert.equal(sumOf('charge'), paid, what)
    assert.equal(sumOf('refund') - sumOf('refund_failed'), refunded, what)
    assert.equal(sumOf('fee') > 0, paid > 0, what)
    assert.equal(cards.has(String(row.id)), row.purpose === 'card' && completed, what)
    if (share?.state === 'returned' && row.purpose === 'card') assert.equal(card?.customer, null, what)
    const live = reservation?.status === 'confirmed' || reservation?.status === 'pending'
    if (row.purpose !== 'pay' && row.purpose !== 'card') {
      if (completed) assert.ok(share?.state === 'booked' || share?.state === 'returned', what)
    } else if (!completed) assert.ok(share?.state === 'closed' && !live, what)
    else if (live) assert.equal(share?.state, 'booked', what)
    else if (share?.state !== 'booked' && row.purpose === 'pay') {
      // A refund that the bank rejected has the state `failed` in the table `refund`, even if it was never posted to
      // the ledger.
      const failed = failedRefunds.has(String(row.id))
      assert.ok(share?.state === 'returned' && (failed || refunded === paid), what)
    }
  }
  const byReservation = Map.groupBy(postings, (row) => String(row.reservation_id))
  for (const [id, reservation] of reservations) {
    const summary = JSON.parse(String(reservation.payment))
    const sumOf = sumsOf(byReservation.get(id) ?? [])
    const paid = sumOf('charge') + sumOf('voucher_use')
    const back = sumOf('refund') - sumOf('refund_failed') + sumOf('voucher_refund')
    const what = JSON.stringify({ reservation, postings: byReservation.get(id) })
    assert.deepEqual([summary.paid, summary.refunded], [paid, back], what)
    assert.ok(sumOf('voucher_refund') <= sumOf('voucher_use'), what)
    const held = seats.get(id)?.length ?? 0
    const live = reservation.status === 'confirmed' || reservation.status === 'pending'
    // The job `sweep` deletes the occupancy of past appointments, so only future ones are checked.
    if (Number(reservation.start_at) > site.now()) assert.equal(held > 0, live, what)
  }
  const byVoucher = Map.groupBy(postings, (row) => String(row.voucher_id))
  for (const { id } of await sql('select id from voucher')) {
    const sumOf = sumsOf(byVoucher.get(String(id)) ?? [])
    const balance = sumOf('voucher_sale') + sumOf('voucher_refund') - sumOf('voucher_use')
    assert.ok(balance >= 0 && balance <= vouchers.amount, `The balance of the voucher ${id} is ${balance}.`)
  }
  await assertCapacity(site)
  const count = (state: string) => shares.filter((row) => row.state === state).length
  const done = (purpose: string) => payments.filter((row) => row.purpose === purpose && row.state === 'paid').length
  const posted = (kind: string) => postings.filter((row) => row.kind === kind).length
  return {
    ...{ payments: payments.length, paid: done('pay'), booked: count('booked'), returned: count('returned') },
    ...{ cards: done('card'), fees: done('fee'), links: done('link') },
    ...{ redeemed: posted('voucher_use'), refilled: posted('voucher_refund') },
  }
}

function sumsOf(postings: readonly SqlRow[]) {
  return (kind: string) =>
    postings.filter((row) => row.kind === kind).reduce((sum, { amount }) => sum + Number(amount), 0)
}

const capacities: Readonly<Record<string, number>> = { single: 1, trio: 3, approved: 1, carded: 1 }

async function assertCapacity({ sql, nameOf, now }: PaymentHistorySite): Promise<void> {
  const late = await sql('select * from occupancy where expires_at <= ? and reservation_id is not null', [now()])
  assert.deepEqual(late, [], 'a seat is held past its time')
  const rows = await sql(
    `select service_id, provider_id, start_at, count(*) as n from reservation where status = 'confirmed'
      group by service_id, provider_id, start_at`,
  )
  for (const row of rows)
    assert.ok(Number(row.n) <= (capacities[nameOf(String(row.service_id))] ?? 0), JSON.stringify(row))
}
