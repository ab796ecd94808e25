import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Outcome } from '../../src/db/perform/app.ts'
import { toInstant } from '../../src/scheduling/time/zone.ts'
import { ana, ben, dan, eve, hour } from '../support/clinic.ts'
import { InProcessSite, present, resultOf } from '../support/in-process-site.ts'

let site: InProcessSite
before(async () => {
  site = await InProcessSite.open()
})
after(() => site.close())

const at = (day: string, time: string) => present(toInstant('Europe/Berlin', `${day}T${time}`))
const override = { reason: 'A friend' }

interface Asked {
  readonly service?: string
  readonly provider?: number
  readonly customer?: string
  readonly start: number
  readonly end?: number
  readonly override?: typeof override
}

function atDesk({ service = 'plain', provider = ana, customer = 'Jo', ...asked }: Asked) {
  const parties = { serviceId: site.service(service), providerId: provider, customerId: site.customer(customer) }
  return site.perform('reservations.staff.book', { ...parties, ...asked })
}

/**
 * Returns the code of a refused write, and whether the refusal is marked as `lasting` (valid whatever is booked later).
 */
function refusal(outcome: Outcome<unknown>): readonly [code: string, lasting: boolean] {
  assert.ok('refused' in outcome, JSON.stringify(outcome))
  return [outcome.refused.code, outcome.refused.lasting === true]
}

/**
 * Returns the rule override (the reason for which staff booked against rules, and these rules) in the newest history
 * entry of a reservation; undefined when the entry has none.
 */
async function exceptionOf(id: string): Promise<unknown> {
  return (await site.events(id)).at(-1)?.object.override
}

for (const [what, asked, time, code, rules] of [
  ['a time at night', {}, '20:00', 'slot_closed', ['opening_hours']],
  ['a customer who is blocked', { customer: 'Bo' }, '10:00', 'customer_blocked', ['customer']],
  ['a service that is not offered', { service: 'inactive' }, '10:00', 'service_inactive', ['service_active']],
  [
    'someone who takes no part',
    { service: 'priority', provider: dan },
    '10:00',
    'provider_not_eligible',
    ['provider_eligible'],
  ],
] as const)
  test(`${what} is refused, and booked with a rule override that stores the broken rules and the reason`, async () => {
    const start = at(site.nextDay(), time)
    const [refused, lasting] = refusal(await atDesk({ ...asked, start }))
    assert.deepEqual([refused, lasting], [code, false])
    const { id } = resultOf(await atDesk({ ...asked, start, override }))
    assert.deepEqual(await exceptionOf(id), { ...override, rules })
    const made = await site.reservation(id)
    assert.deepEqual([made.start, made.status], [start, 'confirmed'])
    assert.equal((await site.occupancyRows(id)).length, 1)
  })

test('a booking that breaks no rule has no override', async () => {
  const { id } = resultOf(await atDesk({ start: at(site.nextDay(), '10:00'), override }))
  assert.equal(await exceptionOf(id), undefined)
})

test('a provider outside of the service is not booked twice at once, even with an override', async () => {
  const start = at(site.nextDay(), '10:00')
  resultOf(await atDesk({ service: 'priority', provider: dan, start, override }))
  const again = await atDesk({ service: 'random', provider: dan, customer: 'Mia', start, override })
  assert.deepEqual(refusal(again), ['slot_provider_busy', false])
})

test('time off of a provider outside of the service is among the broken rules', async () => {
  const start = at(site.nextDay(), '10:00')
  resultOf(await site.perform('time-off.add', { providerId: dan, start, end: start + hour }))
  const { id } = resultOf(await atDesk({ service: 'priority', provider: dan, start, override }))
  assert.deepEqual(await exceptionOf(id), { ...override, rules: ['provider_eligible', 'time_off'] })
})

test('time off in the buffers of a provider outside of the service is among the broken rules', async () => {
  const day = site.nextDay()
  const [start, end] = [at(day, '10:00'), at(day, '12:00')]
  resultOf(await site.perform('time-off.add', { providerId: dan, start, end }))
  for (const time of ['09:30', '12:00']) {
    const { id } = resultOf(await atDesk({ service: 'buffered', provider: dan, start: at(day, time), override }))
    assert.deepEqual(await exceptionOf(id), { ...override, rules: ['provider_eligible', 'time_off'] })
  }
})

test('the complete duration must be free, even with an override', async () => {
  const day = site.nextDay()
  resultOf(await atDesk({ start: at(day, '11:30') }))
  const long = { customer: 'Mia', start: at(day, '09:00'), override }
  assert.deepEqual(refusal(await atDesk({ ...long, end: at(day, '11:31') })), ['slot_provider_busy', false])
  const { id } = resultOf(await atDesk({ ...long, end: at(day, '11:30') }))
  assert.equal((await site.reservation(id)).end - long.start, 2.5 * hour)
})

test('a reservation does not conflict with itself when it moves slightly, even with an override', async () => {
  const day = site.nextDay()
  const { id } = resultOf(await atDesk({ start: at(day, '10:00') }))
  const start = at(day, '10:10')
  assert.equal(refusal(await site.perform('reservations.staff.move', { id, start }))[0], 'slot_closed')
  resultOf(await site.perform('reservations.staff.move', { id, start, override }))
  assert.deepEqual(await exceptionOf(id), { ...override, rules: ['opening_hours'] })
  assert.deepEqual(await site.occupancyRows(id), [`p1 1 ${start} ${start + hour / 2}`])
})

test('a full slot stays full, and a busy provider stays busy', async () => {
  const start = at(site.nextDay(), '10:00')
  for (const customer of ['Jo', 'Mia', 'Max']) resultOf(await atDesk({ service: 'group', customer, start }))
  assert.deepEqual(refusal(await atDesk({ service: 'group', customer: 'Kim', start })), ['slot_full', true])
  assert.deepEqual(refusal(await atDesk({ customer: 'Kim', start })), ['slot_provider_busy', true])
})

test('a refusal of a collective slot may change with the next booking, and is not lasting', async () => {
  const day = site.nextDay()
  resultOf(await atDesk({ service: 'collective', start: at(day, '10:00') }))
  resultOf(await atDesk({ provider: ben, start: at(day, '14:00') }))
  const again = (time: string) => atDesk({ service: 'collective', customer: 'Mia', start: at(day, time) })
  assert.deepEqual(refusal(await again('10:00')), ['slot_full', false])
  assert.deepEqual(refusal(await again('14:00')), ['slot_provider_busy', false])
})

test('every free provider of a pool is eligible', async () => {
  const start = at(site.nextDay(), '10:00')
  resultOf(await atDesk({ provider: ben, start }))
  const { id } = resultOf(await atDesk({ service: 'priority', provider: ana, customer: 'Mia', start }))
  assert.deepEqual((await site.reservation(id)).assignedBecause?.eligible, [ana, eve])
})
