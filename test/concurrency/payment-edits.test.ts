import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { listAvailability } from '../../src/availability/availability.operations.ts'
import type { Outcome } from '../../src/db/perform/app.ts'
import type { Operations } from '../../src/operations.ts'
import type { Payment, ShareState } from '../../src/payments/payment.ts'
import type { NoShowFeeState, ReservationPayment } from '../../src/reservations/payment.ts'
import type { Reservation } from '../../src/reservations/reservation.ts'
import { findReservation } from '../../src/reservations/reservations.sql.ts'
import type { OpenStorage } from '../../src/server/open.ts'
import { readSiteFile } from '../../src/site-file/read-site-file.routes.ts'
import { ana, dayLong, now, standardSite } from '../support/clinic.ts'
import { contextWith, databasesHere, type FreshDatabase, withoutPooler, withStorage } from '../support/databases.ts'
import { present, resultOf } from '../support/in-process-site.ts'
import { waitingForLocks } from '../support/lock-waits.ts'
import { pause } from '../support/pause.ts'

const [, { skip = false } = {}] = await databasesHere()
const operations = new URL('../../src/operations.ts', import.meta.url)
const context = contextWith({ now })
const due: ReservationPayment = {
  method: 'online',
  state: 'due',
  amount: 5_000,
  paid: 0,
  refunded: 0,
  currency: 'EUR',
}
const dearer = { amount: 7_000 }
const feeIn = (state: NoShowFeeState) => ({ noShowFee: { amount: 2_000, state } })

type Payable = Pick<Reservation, 'status' | 'awaits' | 'payment'>

describe('an answer of the payment processor that arrives while staff change the reservation', { skip }, () => {
  test('takes a failed refund back from the price after a move', async () => {
    const refunded: ReservationPayment = { ...due, state: 'part_refunded', paid: 5_000, refunded: 1_000 }
    const { payment } = await changedMeanwhile({
      paid: { state: 'paid', purpose: 'pay', share: 'booked' },
      before: { status: 'confirmed', awaits: null, payment: refunded },
      change: { payment: { ...refunded, ...dearer, state: 'part_paid' } },
      answer: ({ perform }) =>
        perform('payments.refunds.record', { id: 'refund', progress: { id: 're', state: 'failed' } }, context),
    })
    assert.deepEqual(payment, { ...due, ...dearer, state: 'part_paid', paid: 5_000 })
  })

  test('does not cancel a reservation that was confirmed although its payment is returned', async () => {
    const { status, payment } = await changedMeanwhile({
      paid: { state: 'paid', purpose: 'pay', share: 'waiting' },
      before: { status: 'pending', awaits: 'payment', payment: due },
      change: { status: 'confirmed', awaits: null },
      answer: ({ perform }, reservationId) => perform('payments.return', { id: 'payment', reservationId }, context),
    })
    assert.equal(status, 'confirmed')
    assert.deepEqual(payment, { ...due, state: 'refunded', paid: 5_000, refunded: 5_000 })
  })

  test('records a declined no-show fee with the price after a move', async () => {
    const { payment } = await changedMeanwhile({
      paid: { state: 'starting', purpose: 'fee', share: 'waiting' },
      before: { status: 'confirmed', awaits: null, payment: { ...due, ...feeIn('charging') } },
      change: { payment: { ...due, ...dearer, ...feeIn('charging') } },
      answer: ({ perform }) => perform('payments.fee.failed', { id: 'payment', reason: 'declined' }, context),
    })
    assert.deepEqual(payment, { ...due, ...dearer, ...feeIn('declined') })
  })
})

interface Race {
  /** The payment of the reservation, and the state of its share; a part of a booked share was refunded. */
  readonly paid: Pick<Payment, 'state' | 'purpose'> & { readonly share: ShareState }
  readonly before: Payable
  /** What another transaction changes while it holds the lock of the reservation. */
  readonly change: Partial<Payable>
  readonly answer: (storage: OpenStorage<Operations>, reservationId: string) => Promise<Outcome<unknown>>
}

/**
 * Begins a transaction that locks and changes the reservation, starts the operation of the answer, commits once that
 * operation waits, and returns the reservation after both.
 */
async function changedMeanwhile({ paid, before, change, answer }: Race): Promise<Reservation> {
  let after: Reservation | undefined
  await withStorage<Operations>('postgres', operations, async (storage, fresh) => {
    const [staff, observer] = await Promise.all([connect(fresh), connect(fresh)])
    try {
      const { id, customerId } = await book(storage)
      await staff.query(
        `insert into payment (id, customer_id, purpose, amount, currency, state, charge_id, expires_at, created_at, updated_at)
          values ('payment', $1, $2, 5000, 'EUR', $3, 'ch', 0, 0, 0)`,
        [customerId, paid.purpose, paid.state],
      )
      await staff.query(
        `insert into payment_share (payment_id, reservation_id, amount, state) values ('payment', $1, 5000, $2)`,
        [id, paid.share],
      )
      if (paid.share === 'booked')
        await staff.query(
          `insert into refund (id, payment_id, reservation_id, amount, currency, reason, state, created_at, updated_at)
            values ('refund', 'payment', $1, 1000, 'EUR', 'goodwill', 'succeeded', 0, 0)`,
          [id],
        )
      const store = ({ status, awaits, payment }: Payable) =>
        staff.query('update reservation set status = $2, awaits = $3, payment = $4 where id = $1', [
          id,
          status,
          awaits,
          payment && JSON.stringify(payment),
        ])
      await store(before)
      await staff.query('begin')
      await staff.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`reservation:${id}`])
      await store({ ...before, ...change })
      const answered = answer(storage, id)
      while ((await waitingForLocks(observer)) === 0) await pause()
      await staff.query('commit')
      resultOf(await answered)
      after = present(await findReservation(storage.db, id))
    } finally {
      await Promise.all([staff.end(), observer.end()])
    }
  })
  return present(after)
}

async function connect({ at }: FreshDatabase): Promise<pg.Client> {
  assert.ok('databaseUrl' in at)
  const client = new pg.Client(await withoutPooler(at.databaseUrl))
  await client.connect()
  return client
}

/** Books the first slot of the service `plain` with Ana on the day after tomorrow. */
async function book({ perform, db }: OpenStorage<Operations>): Promise<{ id: string; customerId: string }> {
  resultOf(await perform('site.prepare', { siteUrl: '' }, context))
  resultOf(await perform('site.apply', readSiteFile(JSON.stringify(standardSite)), context))
  const [customer] = await db.build.selectFrom('customer').select('id').execute()
  const [service] = await db.build.selectFrom('service').select('id').where('name', '=', 'plain').execute()
  const window = { from: now + 2 * dayLong, until: now + 3 * dayLong, now }
  const [slot] = await listAvailability(db, { ...window, serviceIds: [present(service).id], providerIds: [ana] })
  const { availabilityId, serviceId, providerId, start, end } = present(slot)
  const customerId = present(customer).id
  const booking = { availabilityId, serviceId, providerId, start, end, customerId }
  const { id } = resultOf(await perform('reservations.add', booking, context))
  return { id, customerId }
}
