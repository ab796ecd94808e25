import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, specialDate, standardSite } from '../support/clinic.ts'
import { assertRefusedWith, InProcessSite, type ListedSlot, present, resultOf } from '../support/in-process-site.ts'

let site: InProcessSite
before(async () => {
  const gift = { key: 'gift', name: 'gift', durationMinutes: 30, payment: { mode: 'online' } }
  site = await InProcessSite.open({ services: [...standardSite.services, gift] })
})
after(() => site.close())

const at = ({ providerId, start, end }: ListedSlot) => ({ providerId, start, end })
const first = async (service: string, on: string) => present((await site.slots(service, ana, on))[0])
const priceOf = async (id: string) => {
  const { price, currency, payment } = await site.reservation(id)
  return [price, currency, payment?.state, payment?.amount, payment?.currency]
}

test('a reservation without a price owes the price of the time to which it moves, and nothing at a free one', async () => {
  const { id } = await site.book(await first('gift', site.nextDay()))
  assert.deepEqual(await priceOf(id), [null, null, undefined, undefined, undefined])
  const special = await first('gift', specialDate)
  assertRefusedWith(await site.edit(id, { ...at(special), expectedPrice: null }), 'slot_price_changed')
  const due = [6_000, 'CHF', 'due', 6_000, 'CHF']
  resultOf(await site.edit(id, at(special)))
  assert.deepEqual(await priceOf(id), due)
  const free = await first('gift', site.nextDay())
  assertRefusedWith(
    await site.edit(id, { ...at(free), expectedPrice: { amount: 6_000, currency: 'CHF' } }),
    'slot_price_changed',
  )
  resultOf(await site.edit(id, { ...at(free), expectedPrice: null }))
  assert.deepEqual(await priceOf(id), [null, null, 'paid', 0, 'CHF'])
  resultOf(await site.edit(id, at(special)))
  assert.deepEqual(await priceOf(id), due)
})

test('a reservation that moved while it was cancelled is restored with the price of its new time', async () => {
  const { id } = await site.book(await first('own', site.nextDay()))
  assert.deepEqual((await priceOf(id)).slice(0, 2), [5_000, 'EUR'])
  resultOf(await site.edit(id, { status: 'cancelled' }))
  const special = await first('own', specialDate)
  const stale = { ...at(special), expectedPrice: { amount: 5_000, currency: 'EUR' } }
  assertRefusedWith(await site.edit(id, stale), 'slot_price_changed')
  resultOf(await site.edit(id, { ...at(special), expectedPrice: { amount: 6_000, currency: 'CHF' } }))
  resultOf(await site.edit(id, { status: 'confirmed' }))
  assert.deepEqual((await priceOf(id)).slice(0, 2), [6_000, 'CHF'])
  assert.equal((await site.reservation(id)).assignedBecause?.chosen, ana)
})

test('a reservation that is restored in its own time has the price to which its customer agreed', async () => {
  const { id } = await site.book(await first('own', site.nextDay()))
  resultOf(await site.edit(id, { status: 'cancelled' }))
  const { assignedBecause } = await site.reservation(id)
  const change = { key: 'own', name: 'own', durationMinutes: 30, price: 9_900 }
  resultOf(await site.perform('site.apply', { services: [change] }))
  resultOf(await site.edit(id, { status: 'confirmed' }))
  assert.deepEqual((await priceOf(id)).slice(0, 2), [5_000, 'EUR'])
  assert.deepEqual((await site.reservation(id)).assignedBecause, assignedBecause)
})
