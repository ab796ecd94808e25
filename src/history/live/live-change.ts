import { dateText } from '../../scheduling/time/date.ts'
import type { LoggedEvent } from '../event.ts'

/** What an open screen may have to read again. */
export type LiveKind = 'reservation' | 'customer' | 'service' | 'provider' | 'time_off' | 'site'

const kinds: readonly LiveKind[] = ['reservation', 'customer', 'service', 'provider', 'time_off', 'site']

/** One change, as far as a screen must know of it. */
export interface LiveChange {
  readonly kind: LiveKind
  /** Whose calendars it touches. */
  readonly providerIds: readonly number[]
  /** Stretches of time that it touches, in Unix seconds. */
  readonly spans: readonly { readonly start: number; readonly end: number }[]
}

/** What a screen must know of an event; nothing of one that no screen shows. */
export function liveChange({
  type,
  objectId,
  object,
  previous,
}: Pick<LoggedEvent, 'type' | 'objectId' | 'object' | 'previous'>): LiveChange[] {
  const kind = kinds.find((one) => type.startsWith(`${one}.`))
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

/** Several changes as one word of them; undefined when the listener is told of none. A provider hears of the own calendar alone. */
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
// Screens show weeks: longer stretches are rare, and a screen reads again once too often rather than too seldom.
const mostDays = 62

/** The days in UTC that a stretch of time touches. */
function daysOf({ start, end }: { readonly start: number; readonly end: number }): string[] {
  const first = Math.floor(start / day)
  const last = Math.min(Math.floor((end - 1) / day), first + mostDays)
  return Array.from({ length: Math.max(0, last - first) + 1 }, (_, at) => dateText(first + at))
}
