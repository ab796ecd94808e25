import type { Provider } from '../../src/catalogue/providers/provider.ts'
import {
  defaultServiceSettings,
  type ProviderServiceSettings,
  type Service,
  type ServiceSettings,
} from '../../src/catalogue/services/service.ts'
import { type Blocked, slotKey } from '../../src/scheduling/plan/occupancy.ts'
import type { Booked, Plan, RequestedSlot } from '../../src/scheduling/plan/plan.ts'
import { providerResource } from '../../src/scheduling/plan/resource.ts'
import { toInstant } from '../../src/scheduling/time/zone.ts'
import { blockedTimes, takenTimes } from './times.ts'

/** The fields that a test changes in the scheduling plan (the input of the booking rules) that `plan` returns. */
export interface PlanChange {
  readonly settings?: Partial<ServiceSettings>
  /** Changes to the settings of every provider. */
  readonly own?: Partial<Provider>
  /** Changes to the settings of the second provider alone. */
  readonly second?: Partial<Provider>
  readonly providers?: number
  readonly occupied?: Plan['occupied']
  readonly blocked?: Plan['blocked']
  readonly booked?: readonly Booked[]
  readonly shared?: readonly Booked[]
  readonly assigned?: Plan['assigned']
  readonly listFullSlots?: boolean
}

/**
 * Returns a plan with one service of an hour, providers who work on Mondays from 9 to 12 UTC, and the test's changes.
 */
export function plan({ settings = {}, own = {}, second = {}, providers = 1, ...rest }: PlanChange): Plan {
  return {
    holidays: [],
    listFullSlots: false,
    services: [service(settings)],
    providers: Array.from({ length: providers }, (_, index) => ({
      id: index + 1,
      name: 'Ana',
      email: 'ana@clinic.example',
      timezone: 'UTC',
      restrictServices: false,
      allowedServices: [],
      weekly: { mon: ['09:00-12:00'] },
      overrides: [],
      services: new Map<string, ProviderServiceSettings>(),
      ...own,
      ...(index === 1 ? second : {}),
    })),
    occupied: new Map(),
    blocked: new Map(),
    booked: [],
    shared: [],
    assigned: new Map(),
    bucket: 1,
    ...rest,
  }
}

/** Returns the service of the plan, with the default settings and the given changes. */
export function service(settings: Partial<ServiceSettings>): Service {
  return {
    id: 's_1',
    name: 'Check-up',
    description: '',
    color: null,
    settings: { ...defaultServiceSettings, ...settings },
    data: {},
    form: [],
  }
}

/** Returns the field of a provider that contains the provider's own settings for the service of the plan. */
export function providerSettings(settings: ProviderServiceSettings): Partial<Provider> {
  return { services: new Map([['s_1', settings]]) }
}

/** Returns a wall time of Monday, 23 November 2026, in UTC as Unix seconds. */
export function at(time: string): number {
  return toInstant('UTC', `2026-11-23T${time}`) ?? Number.NaN
}

/** The current time of the tests of rules: Monday, 23 November 2026, 07:00 UTC, in Unix seconds. */
export const now = at('07:00')
/** The slot that tests of rules request: Monday, 23 November 2026, 09:00 to 10:00 UTC. */
export const wanted: RequestedSlot = { serviceId: 's_1', providerId: 1, start: at('09:00'), end: at('10:00') }

/** Returns the interval between two wall times of Monday, 23 November 2026, in UTC. */
export function interval(from: string, until: string): { start: number; end: number } {
  return { start: at(from), end: at(until) }
}

/** Returns the occupied time of a provider: `taken` seats of one slot, by default from 09:00 to 10:00. */
export function takenSeats(taken: number, providerId = 1, [from, until] = ['09:00', '10:00']): Plan['occupied'] {
  const { start, end } = interval(from, until)
  return new Map([
    [providerResource(providerId), takenTimes([{ start, end, slot: slotKey('s_1', start, end), taken }])],
  ])
}

/** Returns the occupied time of a provider: a slot of another service, between two wall times. */
export function occupiedTime(from: string, until: string, providerId = 1): Plan['occupied'] {
  return new Map([
    [providerResource(providerId), takenTimes([{ ...interval(from, until), slot: 's_2:0:1', taken: 1 }])],
  ])
}

/**
 * Returns an interval between two wall times in which `source`, such as time off or a connected calendar, blocks a
 * provider.
 */
export function blocked(source: Blocked['source'], from: string, until: string, providerId = 1): Plan['blocked'] {
  return new Map([[providerResource(providerId), blockedTimes([{ ...interval(from, until), source }])]])
}

/** Returns a reservation of the slot `wanted`, with the given changes. */
export function booking(change: Partial<Booked> = {}): Booked {
  return { serviceId: 's_1', providerId: 1, customerId: 'c_1', start: at('09:00'), end: at('10:00'), ...change }
}
