import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultServiceSettings, type ServiceSettings } from '../catalogue/services/service.ts'
import type { LoggedEvent } from '../history/event.ts'
import { availabilityScope, unlimitedScope } from './payload.ts'

const appointment = { serviceId: 's_1', providerId: 2, start: 300, end: 400 }
const event = (type: LoggedEvent['type'], object: LoggedEvent['object'], previous: LoggedEvent['previous'] = null) =>
  ({
    ...{ id: 'e_1', seq: '1', type, objectId: 'o_1', object, previous, createdAt: 0 },
    actor: { kind: 'user', id: 'u_1' },
  }) as const satisfies LoggedEvent
const booked = event('reservation.created', appointment)
const moved = event('reservation.rescheduled', { ...appointment, providerId: 1, start: 100, end: 200 }, appointment)
const away = event('time_off.created', { providerId: 3, start: 50, end: 500 })

for (const [what, events, scope] of [
  ['a booking', [booked], { providerIds: [2], serviceIds: null, from: 300, until: 400 }],
  ['a booking that moves', [moved], { providerIds: [1, 2], serviceIds: null, from: 100, until: 400 }],
  ['a booking and a time off', [booked, away], { providerIds: [2, 3], serviceIds: null, from: 50, until: 500 }],
  ['a booking and a service', [booked, event('service.created', { id: 's_2' })], unlimitedScope],
  ['an erased booking', [event('reservation.created', null)], unlimitedScope],
  ['a changed note', [event('reservation.updated', appointment, appointment)], undefined],
] as const)
  test(`the changed slots of ${what} are those of every service of the providers`, () =>
    assert.deepEqual(availabilityScope(events, [{ settings: defaultServiceSettings }]), scope))

for (const [what, change, providerIds] of [
  ['is given by each provider alone', {}, [2]],
  ['has a limit for each provider', { limits: { perProviderDay: 3 } }, [2]],
  ['is given by several providers together', { routingMode: 'collective' }, null],
  ['has a pool of providers', { routingMode: 'least_busy' }, null],
  ['has a limit for all providers together', { limits: { perServiceDay: 3 } }, null],
] as const satisfies readonly (readonly [string, Partial<ServiceSettings>, readonly number[] | null])[])
  test(`a booking changes slots of ${providerIds ? 'its provider' : 'all providers'} when a service ${what}`, () => {
    const services = [{ settings: defaultServiceSettings }, { settings: { ...defaultServiceSettings, ...change } }]
    assert.deepEqual(availabilityScope([booked], services)?.providerIds, providerIds)
  })
