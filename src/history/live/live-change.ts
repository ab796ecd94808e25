import { dateText } from '../../scheduling/time/date.ts'
import type { LoggedEvent } from '../event.ts'

/** The kinds of data that an open screen of the panel may have to refetch. */
export type LiveKind =
  | 'reservation'
  | 'hold'
  | 'customer'
  | 'service'
  | 'provider'
  | 'time_off'
  | 'calendar'
  | 'site'
  | 'booking_page'
  | 'notification_settings'
  | 'notification_template'

/**
 * All kinds of data that a screen may have to refetch. All are also kinds of events, as in `site.updated`, except
 * `hold`: a slot that is temporarily reserved for an open booking form.
 */
export const liveKinds: readonly LiveKind[] = [
  'reservation',
  'hold',
  'customer',
  'service',
  'provider',
  'time_off',
  'calendar',
  'site',
  'booking_page',
  'notification_settings',
  'notification_template',
]

/** One change, reduced to the data by which screens of the panel decide whether to refetch. */
export interface LiveChange {
  readonly kind: LiveKind
  /**
   * The providers whose calendars the change affects; empty unless a reservation, a time off, a provider or a hold (a
   * slot temporarily reserved for an open booking form) changed.
   */
  readonly providerIds: readonly number[]
  /**
   * The intervals, in Unix seconds, of the changed reservation, time off or hold, before and after the change; empty
   * for other kinds.
   */
  readonly spans: readonly { readonly start: number; readonly end: number }[]
}

/**
 * Returns the change by which screens decide whether to refetch after an event, in an array; the array is empty for an
 * event after which no screen refetches.
 */
export function liveChange({
  type,
  objectId,
  object,
  previous,
}: Pick<LoggedEvent, 'type' | 'objectId' | 'object' | 'previous'>): LiveChange[] {
  const kind = liveKinds.find((one) => type.startsWith(`${one}.`))
  if (!kind) return []
  const states = [previous, object].filter((state) => state !== null)
  if (kind === 'provider') return [{ kind, providerIds: [Number(objectId)], spans: [] }]
  if (kind !== 'reservation' && kind !== 'time_off') return [{ kind, providerIds: [], spans: [] }]
  return [
    {
      kind,
      providerIds: states.map(({ providerId }) => Number(providerId)),
      spans: states.map(({ start, end }) => ({ start: Number(start), end: Number(end) })),
    },
  ]
}

/** A slot held for a booking form, reduced to the data that `holdChanges` uses. */
export interface LiveHold {
  readonly id: string
  readonly providerId: number
  readonly start: number
  readonly end: number
}

/**
 * Returns the changes of slots held for booking forms between two polls of the unexpired holds: the holds that were
 * placed, and those that were released or booked or have expired.
 */
export function holdChanges(before: readonly LiveHold[], after: readonly LiveHold[]): LiveChange[] {
  const [known, present] = [before, after].map((holds) => new Set(holds.map(({ id }) => id)))
  const changed = [...after.filter(({ id }) => !known?.has(id)), ...before.filter(({ id }) => !present?.has(id))]
  return changed.map(({ providerId, start, end }) => ({
    kind: 'hold',
    providerIds: [providerId],
    spans: [{ start, end }],
  }))
}

/**
 * Merges changes into one message to an open screen; undefined when there is nothing to send. With a provider id as
 * `own`, only changes of that provider's calendar are included; with null, no change is included; with `all`, every
 * change.
 */
export function wordOf(changes: readonly LiveChange[], own: number | null | 'all') {
  const visible =
    own === 'all' ? changes : changes.filter(({ providerIds }) => own !== null && providerIds.includes(own))
  if (visible.length === 0) return undefined
  const providerIds = [...new Set(visible.flatMap((change) => change.providerIds))].sort((a, b) => a - b)
  return {
    kinds: [...new Set(visible.map(({ kind }) => kind))],
    providerIds: own === 'all' ? providerIds : providerIds.filter((id) => id === own),
    days: [...new Set(visible.flatMap(({ spans }) => spans.flatMap(daysOf)))].sort(),
  }
}

const day = 86_400
// At most `maxDays` + 1 days of an interval are listed. Longer intervals are rare; their further days are omitted.
const maxDays = 62

/**
 * Returns the UTC days that an interval touches, at most `maxDays` + 1 of them; the end of the interval is exclusive.
 */
function daysOf({ start, end }: { readonly start: number; readonly end: number }): string[] {
  const first = Math.floor(start / day)
  const last = Math.min(Math.floor((end - 1) / day), first + maxDays)
  return Array.from({ length: Math.max(0, last - first) + 1 }, (_, at) => dateText(first + at))
}
