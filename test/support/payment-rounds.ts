import assert from 'node:assert/strict'
import type { DatabaseKind } from './databases.ts'
import { freshDatabase } from './databases.ts'
import { type Browser, inside } from './panel-door.ts'
import { until } from './payers.ts'
import { type Service, startService } from './service.ts'
import { openSql, type Sql, type SqlRow } from './sql.ts'
import { StripeStandIn } from './stripe.ts'
import type { Slot } from './world.ts'

/** A site on which customers pay, with the processor's stand-in; its clock moves when the service is restarted. */
export interface PaymentSite {
  readonly kind: DatabaseKind
  readonly service: Service
  readonly sql: Sql
  readonly stripe: StripeStandIn
  readonly customers: readonly string[]
  /** The current time of the service and of the stand-in. */
  now(): number
  /** Signs in as an administrator who has just proved their identity. */
  signIn(): Promise<Browser>
  /** Kills the service, if it still runs, and starts it this many seconds later. */
  restart(seconds: number): Promise<void>
  /** Lists the slots of every service on the next day. */
  slots(): Promise<readonly Slot[]>
  nameOf(serviceId: string): string
  close(): Promise<void>
}

const start = 1_791_180_000
const day = 86_400
const jobs = ['payment-sync', 'payment-expiry', 'payment-refund']
const everyDay = (hours: string): object =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((name) => [name, [hours]]))
const services = {
  single: {},
  trio: { capacity: 3, payment: { mode: 'online', deposit: { percent: 20 } } },
  approved: { approval: 'admin' },
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

/** Opens the site with the stand-in connected. */
export async function openPaymentSite(kind: DatabaseKind, { customers = 12 } = {}): Promise<PaymentSite> {
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
    return (await inside({ server: service, sql }, 'admin', session)).browser
  }
  const { secretKey, webhookSecret } = stripe
  const connected = await (await signIn()).post('/payments/connect/', { secretKey, webhookSecret })
  assert.equal(connected.status, 200, connected.text)
  return {
    ...{ kind, service, sql, stripe, customers: people, now, signIn },
    nameOf: (id) => names.get(id) ?? '',
    restart: async (seconds) => {
      sql.rest()
      await service.kill()
      clock.at = now() + seconds
      clock.since = performance.now()
      await service.restart({ now: clock.at })
    },
    slots: async () => {
      const query = { min_timestamp: now() + day, max_timestamp: now() + 2 * day }
      const { status, body, text } = await service.call<{ response: Slot[] }>('GET', '/availability/get/', { query })
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

/** Resolves when every payment is decided and every refund is made. */
export function settled({ sql }: PaymentSite): Promise<boolean> {
  const end = performance.now() + 50_000
  return until(async () => {
    const [left] = await sql(
      `select (select count(*) from job where kind in (${jobs.map(() => '?').join(', ')}))
        + (select count(*) from payment where state in ('starting', 'open'))
        + (select count(*) from payment_share where state = 'waiting')
        + (select count(*) from reservation r where awaits = 'payment' and status = 'pending') as n`,
      jobs,
    )
    if (Number(left?.n) > 0 && performance.now() > end)
      assert.fail(JSON.stringify(await sql("select * from job where kind like 'payment%'")))
    return Number(left?.n) === 0
  }, 'the end of all payments')
}

/** What the processor, the books and the reservations hold together. */
export interface Outcome {
  readonly payments: number
  readonly paid: number
  readonly booked: number
  readonly returned: number
}

/**
 * Fails unless processor, books and reservations agree about every payment: the payer has the seat or the money back,
 * and no seat is held past its time.
 */
export async function assertBalanced(site: PaymentSite): Promise<Outcome> {
  const { sql, stripe } = site
  const payments = await sql('select * from payment')
  const shares = await sql('select * from payment_share')
  const reservations = new Map((await sql('select * from reservation')).map((row) => [String(row.id), row]))
  const postings = await sql(
    'select p.kind, p.payment_id, e.amount from ledger_posting p join ledger_entry e on e.posting_id = p.id',
  )
  const failedRefunds = new Set(
    (await sql("select payment_id from refund where state = 'failed'")).map((row) => String(row.payment_id)),
  )
  const byPayment = Map.groupBy(postings, (row) => String(row.payment_id))
  const seats = Map.groupBy(await sql('select * from occupancy'), (row) => String(row.reservation_id))
  const known = new Set(payments.map((row) => row.checkout_id))
  for (const { id, payment_status } of stripe.sessions.values())
    assert.ok(payment_status === 'unpaid' || known.has(id), `The service does not know the paid page ${id}.`)
  for (const row of payments) {
    const session = stripe.sessions.get(String(row.checkout_id))
    const paid = session?.payment_status === 'paid' ? session.amount_total : 0
    const refunded = paid === 0 ? 0 : stripe.refunded(String(session?.payment_intent))
    const sumOf = sumsOf(byPayment.get(String(row.id)) ?? [])
    const [share] = shares.filter((one) => one.payment_id === row.id)
    const reservation = reservations.get(String(share?.reservation_id))
    const what = JSON.stringify({ row, share, reservation, session, refunded })
    assert.equal(row.state, paid > 0 ? 'paid' : 'closed', what)
    assert.equal(sumOf('charge'), paid, what)
    assert.equal(sumOf('refund') - sumOf('refund_failed'), refunded, what)
    assert.equal(sumOf('fee') > 0, paid > 0, what)
    const summary = JSON.parse(String(reservation?.payment))
    assert.deepEqual([summary.paid, summary.refunded], [paid, refunded], what)
    const held = seats.get(String(reservation?.id))?.length ?? 0
    const live = reservation?.status === 'confirmed' || reservation?.status === 'pending'
    // The room of past appointments is deleted.
    if (Number(reservation?.start_at) > site.now()) assert.equal(held > 0, live, what)
    if (paid === 0) assert.ok(share?.state === 'closed' && !live, what)
    else if (live) assert.equal(share?.state, 'booked', what)
    else if (share?.state !== 'booked') {
      // A refund that the bank rejected is known to be failed, also when it was never in the books.
      const failed = failedRefunds.has(String(row.id))
      assert.ok(share?.state === 'returned' && (failed || refunded === paid), what)
    }
  }
  await assertCapacity(site)
  const count = (state: string) => shares.filter((row) => row.state === state).length
  const paid = payments.filter(({ state }) => state === 'paid').length
  return { payments: payments.length, paid, booked: count('booked'), returned: count('returned') }
}

function sumsOf(postings: readonly SqlRow[]) {
  return (kind: string) =>
    postings.filter((row) => row.kind === kind).reduce((sum, { amount }) => sum + Number(amount), 0)
}

const capacities: Readonly<Record<string, number>> = { single: 1, trio: 3, approved: 1 }

async function assertCapacity({ sql, nameOf, now }: PaymentSite): Promise<void> {
  const late = await sql('select * from occupancy where expires_at <= ? and reservation_id is not null', [now()])
  assert.deepEqual(late, [], 'a seat is held past its time')
  const rows = await sql(
    `select service_id, provider_id, start_at, count(*) as n from reservation where status = 'confirmed'
      group by service_id, provider_id, start_at`,
  )
  for (const row of rows)
    assert.ok(Number(row.n) <= (capacities[nameOf(String(row.service_id))] ?? 0), JSON.stringify(row))
}
