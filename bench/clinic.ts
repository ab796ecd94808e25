import type { Provider } from '../src/catalogue/providers/provider.ts'
import { defaultServiceSettings } from '../src/catalogue/services/service.ts'
import { slotKey } from '../src/scheduling/plan/occupancy.ts'
import type { Plan } from '../src/scheduling/plan/plan.ts'
import { providerResource } from '../src/scheduling/plan/resource.ts'
import type { Interval } from '../src/scheduling/time/interval.ts'
import { toInstant } from '../src/scheduling/time/zone.ts'
import { blockedTimes, takenTimes } from '../test/support/times.ts'

/** The time zone of every provider of the clinic. */
export const zone = 'Europe/Berlin'
/** The first date of the measured four weeks, which include the end of summer time on 2026-10-25. */
export const firstDate = '2026-10-12'
/** The number of measured days. */
export const days = 28
/** The opening windows of each day from Monday to Friday, in local time. */
export const hours = [
  ['09:00', '12:00'],
  ['13:00', '17:00'],
] as const
/** The duration of an appointment in `clinic`, in minutes; the services of `siteFile` last an hour. */
export const minutes = 30
/** The start of the measured four weeks, in Unix seconds. */
export const from = instant('2026-10-12T00:00')
/** The end of the measured four weeks, in Unix seconds. */
export const until = instant('2026-11-09T00:00')
/** The current time of the measurements: a day before the four weeks, in Unix seconds. */
export const now = from - 86_400

/**
 * Returns the reference clinic as the input of the scheduling engine: weekdays 9 to 12 and 13 to 17, half-hour slots,
 * 200 busy times per provider, half of them bookings.
 */
export function clinic(providers: number): Plan {
  const ids = Array.from({ length: providers }, (_, index) => index + 1)
  return {
    holidays: [],
    listFullSlots: false,
    services: [
      {
        id: 's_1',
        name: 'Check-up',
        description: '',
        color: null,
        settings: { ...defaultServiceSettings, durationMinutes: minutes },
        data: {},
        form: [],
      },
    ],
    providers: ids.map(provider),
    occupied: new Map(ids.map((id) => [providerResource(id), takenTimes(occupied(id))])),
    blocked: new Map(
      ids.map((id) => {
        const odd = busyTimes(id).filter((_, n) => n % 2 === 1)
        return [providerResource(id), blockedTimes(odd.map((one) => ({ ...one, source: 'calendar' })))]
      }),
    ),
    booked: ids.flatMap((id) =>
      occupied(id).map(({ start, end }) => ({
        serviceId: 's_1',
        providerId: id,
        customerId: `c_${start}`,
        start,
        end,
      })),
    ),
    shared: [],
    assigned: new Map(),
    bucket: 1,
  }
}

/** Returns 200 times of 25 minutes, spread over the four weeks without overlaps, including nights and weekends. */
export function busyTimes(providerId: number): Interval[] {
  const step = Math.floor((until - from) / 200 / 300) * 300
  return Array.from({ length: 200 }, (_, index) => {
    const start = from + index * step + ((index * 7 + providerId * 3) % 11) * 300
    return { start, end: start + 1500 }
  })
}

function occupied(providerId: number) {
  return busyTimes(providerId)
    .filter((_, index) => index % 2 === 0)
    .map(({ start, end }) => ({ start, end, slot: slotKey('s_1', start, end), taken: 1 }))
}

function provider(id: number): Provider {
  const windows = hours.map(([opens, closes]) => `${opens}-${closes}`)
  return {
    id,
    name: `Provider ${id}`,
    email: `p${id}@clinic.example`,
    timezone: zone,
    restrictServices: false,
    allowedServices: [],
    weekly: { mon: windows, tue: windows, wed: windows, thu: windows, fri: windows },
    overrides: [],
    services: new Map(),
  }
}

function instant(text: string): number {
  const found = toInstant(zone, text)
  if (found === undefined) throw new Error(`no instant: ${text}`)
  return found
}
