import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertPayment } from '../../src/payments/payments.sql.ts'
import { ana, ben, dayLong, now } from '../support/clinic.ts'
import { InProcessSite, present, resultOf } from '../support/in-process-site.ts'

let site: InProcessSite
before(async () => {
  site = await InProcessSite.open()
})
after(() => site.close())

const expiresAt = now + 1_800

/**
 * Books two reservations as one form does that waits for an e-mail address or a payment; returns their ids, the first
 * one first.
 */
async function bookTogether(awaits: 'email' | 'payment' = 'email'): Promise<readonly string[]> {
  const on = site.nextDay()
  const ids: string[] = []
  for (const [provider, customer] of [
    [ben, 'Mia'],
    [ana, 'Jo'],
  ] as const) {
    const slot = present((await site.slots('plain', provider, on))[1])
    const { id } = await site.book(slot, { customerId: site.customer(customer) })
    const waiting = { status: 'pending', awaits, expires_at: expiresAt } as const
    await site.connection.build
      .updateTable('reservation')
      .set({ ...waiting, group_id: on, created_at: now - dayLong + ids.length })
      .where('id', '=', id)
      .execute()
    ids.push(id)
  }
  site.lockKeys.length = 0
  return ids
}

/** The keys that the transactions locked, one array for each call of `lock` that locked a key not yet locked. */
function locked(): readonly (readonly string[])[] {
  const held = new Set<string>()
  return site.lockKeys.flatMap((keys) => {
    const added = keys.filter((key) => !held.has(key)).toSorted()
    for (const key of added) held.add(key)
    return added.length > 0 ? [added] : []
  })
}

/** The keys of two reservations of `bookTogether` and, in a second group, of their customers and providers. */
function locksOf(ids: readonly string[]): readonly (readonly string[])[] {
  const customers = ['Jo', 'Mia'].map((name) => `customer:${site.customer(name)}`)
  const providers = [ana, ben].map((provider) => `resource:p${provider}`)
  return [ids.map((id) => `reservation:${id}`).toSorted(), [...customers, ...providers].toSorted()]
}

for (const [what, act] of [
  ['moves', (id: string, start: number) => site.perform('reservations.staff.move', { id, start })],
  [
    'cancels',
    (id: string) => site.perform('reservations.staff.status', { id, status: 'cancelled', from: 'confirmed' }),
  ],
] as const)
  test(`a user who ${what} a reservation takes its locks once`, async () => {
    const [slot, later] = await site.slots('plain', ana, site.nextDay())
    const { id, customerId } = await site.book(present(slot))
    site.lockKeys.length = 0
    resultOf(await act(id, present(later).start))
    assert.deepEqual(
      site.lockKeys.map((keys) => keys.toSorted()),
      [['catalogue'], ['catalogue', `reservation:${id}`], [`customer:${customerId}`, `resource:p${ana}`]],
    )
  })

for (const [what, act] of [
  ['the expiry of reservations', () => site.perform('reservations.expire', {}, { now: expiresAt })],
  ['the confirmation of a form’s address', (id: string) => site.perform('booking-page.verify', { id })],
  [
    'the cancellation of a form’s appointments',
    (id: string) => site.perform('booking-page.cancel', { id, reason: '', all: true }),
  ],
] as const)
  test(`${what} takes each group of locks in one call, so that two transactions cannot wait for each other`, async () => {
    const ids = await bookTogether()
    const [first = ''] = ids
    resultOf(await act(first))
    assert.deepEqual(locked(), [['catalogue'], ...locksOf(ids)])
    const statuses = await Promise.all(ids.map(async (id) => (await site.reservation(id)).status))
    assert.equal(new Set(statuses).size, 1)
    assert.notEqual(statuses[0], 'pending')
  })

test('the end of the time to pay for a form takes each group of locks in one call, after that of the payment', async () => {
  const ids = await bookTogether('payment')
  const id = 'payment'
  await insertPayment(
    site.connection,
    {
      ...{ id, customerId: site.customer('Mia'), purpose: 'pay', amount: 2_000, currency: 'EUR', chargeId: null },
      ...{ state: 'open', checkoutId: 'cs', checkoutUrl: 'https://pay.example/cs', expiresAt, createdAt: now },
    },
    ids.map((reservationId) => ({ paymentId: id, reservationId, amount: 1_000, state: 'waiting' })),
  )
  const input = { id, checkoutId: 'cs', refused: false }
  resultOf(await site.perform('payments.close', input, { now: expiresAt }))
  assert.deepEqual(locked(), [['payment:payment'], ['catalogue'], ...locksOf(ids)])
  const statuses = await Promise.all(ids.map(async (one) => (await site.reservation(one)).status))
  assert.deepEqual(statuses, ['cancelled', 'cancelled'])
})
