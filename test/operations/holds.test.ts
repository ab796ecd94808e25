import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { holdSeconds } from '../../src/reservations/holds/hold.ts'
import type { PlaceHold } from '../../src/reservations/holds/holds.operations.ts'
import { ana, ben, now } from '../support/clinic.ts'
import { assertRefusedWith, InProcessSite, type ListedSlot, present, resultOf } from '../support/in-process-site.ts'

let site: InProcessSite
before(async () => {
  site = await InProcessSite.open()
})
after(() => site.close())

let forms = 0

function hold(slot: ListedSlot, change: Partial<PlaceHold> = {}, at = now) {
  forms += 1
  const { serviceId, providerId, start } = slot
  const input = {
    serviceId,
    providerIds: [providerId],
    start,
    seats: 1,
    formHash: `f${forms}`,
    addressHash: `a${forms}`,
  }
  return site.perform('reservations.holds.place', { ...input, ...change }, { now: at })
}

const freeSlot = async (service: string, provider: number, on = site.nextDay()) =>
  present((await site.slots(service, provider, on))[0])

const heldSeats = () =>
  site.connection.build.selectFrom('occupancy').selectAll().where('hold_id', 'is not', null).execute()

const heldRows = () => site.connection.build.selectFrom('hold').selectAll().execute()

async function pending(slot: ListedSlot, expiresAt: number) {
  const made = await site.book(slot)
  assert.equal(made.status, 'pending')
  const { build } = site.connection
  await build.updateTable('reservation').set({ expires_at: expiresAt }).where('id', '=', made.id).execute()
  const rows = await build.selectFrom('occupancy').selectAll().where('reservation_id', '=', made.id).execute()
  await build.deleteFrom('occupancy').where('reservation_id', '=', made.id).execute()
  await build
    .insertInto('occupancy')
    .values(rows.map((row) => ({ ...row, expires_at: expiresAt })))
    .execute()
  return made
}

test('a held slot is not free for others until the hold expires, to the second', async () => {
  const slot = await freeSlot('plain', ana)
  const { expiresAt } = resultOf(await hold(slot))
  assert.equal(expiresAt, now + holdSeconds)
  assertRefusedWith(await site.add(slot, {}, { now: expiresAt - 1 }), 'slot_full')
  resultOf(await site.add(slot, {}, { now: expiresAt }))
})

test('a form that chooses another time gives the first one back', async () => {
  const on = site.nextDay()
  const [first, second] = await site.slots('plain', ana, on)
  resultOf(await hold(present(first), { formHash: 'chooses' }))
  resultOf(await hold(present(second), { formHash: 'chooses' }))
  assertRefusedWith(await site.add(present(second)), 'slot_full')
  resultOf(await site.add(present(first)))
})

test('a released hold is free at once, and releasing again changes nothing', async () => {
  const slot = await freeSlot('plain', ana)
  resultOf(await hold(slot, { formHash: 'leaves' }))
  resultOf(await site.perform('reservations.holds.release', { formHash: 'leaves' }))
  resultOf(await site.perform('reservations.holds.release', { formHash: 'leaves' }))
  resultOf(await site.add(slot))
})

test('a hold can be extended once', async () => {
  const slot = await freeSlot('plain', ana)
  resultOf(await hold(slot, { formHash: 'slow' }))
  const extend = (at: number) => site.perform('reservations.holds.extend', { formHash: 'slow' }, { now: at })
  const first = resultOf(await extend(now + 500))
  assert.equal(first.expiresAt, now + 500 + holdSeconds)
  assert.equal(resultOf(await extend(now + 900)).expiresAt, first.expiresAt)
  // Shows that the slot is still held by requesting a hold by another form. A booking would be refused for another
  // reason, because the slot id of the listed slot may have expired by then.
  assertRefusedWith(await hold(slot, {}, first.expiresAt - 1), 'slot_full')
  assertRefusedWith(await extend(first.expiresAt), 'hold_expired')
  resultOf(await hold(slot, {}, first.expiresAt))
})

test('an address may hold ten slots', async () => {
  const slots = await site.slots('plain', ben, site.nextDay())
  for (const slot of slots.slice(0, 10)) resultOf(await hold(slot, { addressHash: 'greedy' }))
  const eleventh = present(slots[10])
  assertRefusedWith(await hold(eleventh, { addressHash: 'greedy' }), 'hold_limit')
  resultOf(await hold(eleventh, { addressHash: 'another' }))
})

test('a hold takes as many seats as the form has guests, or none', async () => {
  const slot = await freeSlot('group', ana)
  assertRefusedWith(await hold(slot, { seats: 4 }), 'slot_full')
  resultOf(await hold(slot, { seats: 2 }))
  assertRefusedWith(await hold(slot, { seats: 2 }), 'slot_full')
  resultOf(await site.add(slot))
  assertRefusedWith(await site.add(slot), 'slot_full')
})

test('the first free provider of those named gets the hold', async () => {
  const slot = await freeSlot('plain', ana)
  await site.book(slot)
  assert.equal(resultOf(await hold(slot, { providerIds: [ana, ben] })).providerId, ben)
})

test('a slot that rules forbid cannot be held', async () => {
  const slot = await freeSlot('plain', ana)
  assertRefusedWith(await hold(slot, { start: slot.start + 1 }), 'slot_closed')
  assertRefusedWith(await hold(slot, {}, slot.start + 1), 'slot_lead_time')
  assertRefusedWith(await hold(slot, { serviceId: 's_none' }), 'service_not_found')
})

test('the sweep deletes expired holds with their seats and leaves live ones', async () => {
  const slots = await site.slots('plain', ana, site.nextDay())
  const old = resultOf(await hold(present(slots[0])))
  const live = resultOf(await hold(present(slots[1]), {}, now + 300))
  resultOf(await site.perform('reservations.expire', {}, { now: now + holdSeconds }))
  const [rows, seats] = [await heldRows(), await heldSeats()]
  assert.ok(rows.every(({ id }) => id !== old.id) && seats.every(({ hold_id }) => hold_id !== old.id))
  assert.ok(rows.some(({ id }) => id === live.id) && seats.some(({ hold_id }) => hold_id === live.id))
})

test('an expired reservation gives its seat back at that second, and is cancelled by the job', async () => {
  const slot = await freeSlot('approved', ana)
  const made = await pending(slot, now + 900)
  assertRefusedWith(await site.add(slot, {}, { now: now + 899 }), 'slot_full')
  assert.deepEqual(resultOf(await site.perform('reservations.expire', {}, { now: now + 899 })), {
    cancelled: 0,
    more: false,
  })
  const other = resultOf(await site.add(slot, {}, { now: now + 900 }))
  assert.deepEqual(resultOf(await site.perform('reservations.expire', {}, { now: now + 900 })), {
    cancelled: 1,
    more: false,
  })
  assert.equal((await site.reservation(made.id)).status, 'cancelled')
  assert.equal((await site.reservation(other.id)).status, 'pending')
  assert.equal((await site.occupancyRows(other.id)).length, 1)
})

test('a reservation that must be paid online expires after 30 minutes, to the second', async () => {
  const slot = await freeSlot('paid', ana)
  const made = await site.book(slot)
  assert.deepEqual([made.status, made.awaits, made.expiresAt], ['pending', 'payment', now + 1_800])
  assertRefusedWith(await hold(slot, {}, now + 1_799), 'slot_full')
  resultOf(await hold(slot, {}, now + 1_800))
  resultOf(await site.perform('reservations.expire', {}, { now: now + 1_800 }))
  const expired = await site.reservation(made.id)
  assert.deepEqual([expired.status, expired.awaits, expired.expiresAt], ['cancelled', 'payment', null])
})

test('a reservation that staff booked waits for its payment without an end', async () => {
  const { serviceId, providerId, start } = await freeSlot('paid', ana)
  const booking = { serviceId, providerId, start, customerId: site.customer('Jo') }
  const { id } = resultOf(await site.perform('reservations.staff.book', booking))
  const made = await site.reservation(id)
  assert.deepEqual([made.status, made.expiresAt], ['pending', null])
})

test('a seat of a service whose pending reservations take none is taken while a payment is awaited', async () => {
  const slot = await freeSlot('hopeful', ana)
  const made = await site.book(slot)
  assert.equal((await site.occupancyRows(made.id)).length, 0)
  const waits = { awaits: 'payment', expiresAt: now + 900 } as const
  resultOf(await site.perform('reservations.edit', { id: made.id, awaiting: waits }))
  assert.equal((await site.occupancyRows(made.id)).length, 1)
  assertRefusedWith(await hold(slot, {}, now + 899), 'slot_full')
  resultOf(await site.perform('reservations.edit', { id: made.id, awaiting: { awaits: null, expiresAt: null } }))
  assert.equal((await site.occupancyRows(made.id)).length, 0)
})

test('a reservation that is confirmed in time does not expire', async () => {
  const slot = await freeSlot('approved', ana)
  const made = await pending(slot, now + 900)
  resultOf(await site.edit(made.id, { status: 'confirmed' }, { now: now + 899 }))
  resultOf(await site.perform('reservations.expire', {}, { now: now + 901 }))
  const kept = await site.reservation(made.id)
  assert.deepEqual([kept.status, kept.expiresAt], ['confirmed', null])
  assertRefusedWith(await hold(slot, {}, now + 901), 'slot_full')
})

test('a reservation that is confirmed late needs a free seat', async () => {
  const slot = await freeSlot('approved', ana)
  const [made, second] = [await pending(slot, now + 900), await freeSlot('approved', ben)]
  resultOf(await site.add(slot, {}, { now: now + 900 }))
  assertRefusedWith(await site.edit(made.id, { status: 'confirmed' }, { now: now + 901 }), 'slot_full')
  const free = await pending(second, now + 900)
  resultOf(await site.edit(free.id, { status: 'confirmed' }, { now: now + 901 }))
  assert.equal((await site.occupancyRows(free.id)).length, 1)
})

test('a moved reservation keeps its expiry', async () => {
  const slots = await site.slots('approved', ana, site.nextDay())
  const made = await pending(present(slots[0]), now + 900)
  const { start } = present(slots[2])
  resultOf(await site.edit(made.id, { start }, { now: now + 100 }))
  assertRefusedWith(await site.add(present(slots[2]), {}, { now: now + 899 }), 'slot_full')
  resultOf(await site.add(present(slots[2]), {}, { now: now + 900 }))
})
