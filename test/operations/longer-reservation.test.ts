import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, hour } from '../support/clinic.ts'
import { assertRefusedWith, InProcessSite, present, resultOf } from '../support/in-process-site.ts'

let site: InProcessSite
before(async () => {
  site = await InProcessSite.open()
})
after(() => site.close())

test('confirming a reservation that is longer than its service by now checks all of its time', async () => {
  const set = async (settings: object) =>
    resultOf(await site.perform('site.apply', { services: [{ key: 'hopeful', name: 'hopeful', ...settings }] }))
  await set({ durationMinutes: 120 })
  const slot = present((await site.slots('hopeful', ana, site.nextDay()))[0])
  const { start, end } = slot
  assert.equal(end - start, 2 * hour)
  const { id } = resultOf(await site.add(slot))
  await set({ durationMinutes: 30 })
  const off = resultOf(await site.perform('time-off.add', { providerId: ana, start: start + hour, end }))
  assertRefusedWith(await site.edit(id, { status: 'confirmed' }), 'slot_closed')
  resultOf(await site.perform('time-off.remove', { id: off.id }))
  resultOf(await site.edit(id, { status: 'confirmed' }))
})
