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

/** The changes of a test to the plan. */
export interface Change {
  readonly settings?: Partial<ServiceSettings>
  /** Applied to every provider. */
  readonly own?: Partial<Provider>
  /** Applied to the second provider alone. */
  readonly second?: Partial<Provider>
  readonly providers?: number
  readonly occupied?: Plan['occupied']
  readonly blocked?: Plan['blocked']
  readonly booked?: readonly Booked[]
  readonly assigned?: Plan['assigned']
  readonly listFullSlots?: boolean
}

/** A plan with one service of an hour, providers who work on Mondays from 9 to 12 UTC, and the test's changes. */
export function plan({ settings = {}, own = {}, second = {}, providers = 1, ...rest }: Change): Plan {
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
    assigned: new Map(),
    bucket: 1,
    ...rest,
  }
}

/** The service of the plan. */
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

/** A provider's own settings for the service. */
export function its(settings: ProviderServiceSettings): Partial<Provider> {
  return { services: new Map([['s_1', settings]]) }
}

/** An instant of Monday, 23 November 2026. */
export function at(time: string): number {
  return toInstant('UTC', `2026-11-23T${time}`) ?? Number.NaN
}

/** The time of the queries, and the requested slot. */
export const now = at('07:00')
/** The slot that tests request. */
export const wanted: RequestedSlot = { serviceId: 's_1', providerId: 1, start: at('09:00'), end: at('10:00') }

/** An interval of that Monday. */
export function time(from: string, until: string): { start: number; end: number } {
  return { start: at(from), end: at(until) }
}

/** Occupancy of a provider's slot by `taken` seats; the requested slot unless given. */
export function seated(taken: number, providerId = 1, [from, until] = ['09:00', '10:00']): Plan['occupied'] {
  const { start, end } = time(from, until)
  return new Map([
    [providerResource(providerId), takenTimes([{ start, end, slot: slotKey('s_1', start, end), taken }])],
  ])
}

/** Occupancy of a provider by another slot. */
export function taken(from: string, until: string, providerId = 1): Plan['occupied'] {
  return new Map([[providerResource(providerId), takenTimes([{ ...time(from, until), slot: 's_2:0:1', taken: 1 }])]])
}

/** Time off, or a calendar's busy time. */
export function blocked(source: Blocked['source'], from: string, until: string, providerId = 1): Plan['blocked'] {
  return new Map([[providerResource(providerId), blockedTimes([{ ...time(from, until), source }])]])
}

/** A reservation of the requested slot, or of another. */
export function booking(change: Partial<Booked> = {}): Booked {
  return { serviceId: 's_1', providerId: 1, customerId: 'c_1', start: at('09:00'), end: at('10:00'), ...change }
}
