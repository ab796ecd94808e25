import { type Clock, minutesOfDay } from '../../../data/dates/clock.ts'
import { addDays } from '../../../data/dates/dates.ts'
import type { Item } from '../../../data/request.ts'
import { type Block, layOutBlocks, type PositionedBlock } from './layout.ts'

/** The response of `GET /calendar/`. */
export type CalendarData = Item<'GET /calendar/'>
/** One reservation of the calendar. */
export type ColumnReservation = CalendarData['reservations'][number]
/** One provider of the calendar. */
export type ColumnProvider = CalendarData['providers'][number]
/** One service of the calendar. */
export type ColumnService = CalendarData['services'][number]
/** One interval of time off, or of busy time of a connected calendar. */
export type ColumnBusy = CalendarData['busy'][number]
type SharedReservation = CalendarData['shared'][number]
type Hold = CalendarData['held'][number]

/** A half-open interval in Unix seconds. */
export interface TimeSpan {
  readonly start: number
  readonly end: number
}

/** One day of one provider with its reservations and busy times. */
export interface CalendarColumn {
  readonly key: string
  /** The clock of the displayed time zone. */
  readonly clock: Clock
  readonly provider: Pick<ColumnProvider, 'id' | 'name' | 'zone'>
  readonly date: string
  /** From midnight of the date to the next midnight, in the displayed time zone. */
  readonly day: TimeSpan
  readonly open: readonly Block[]
  readonly busy: readonly { readonly item: ColumnBusy; readonly block: Block }[]
  readonly shared: readonly { readonly item: SharedReservation; readonly block: Block }[]
  readonly held: readonly { readonly item: Hold; readonly block: Block }[]
  readonly cards: readonly PositionedBlock<ColumnReservation>[]
  /** The cards of slots with several reservations; `item` contains the reservations of one slot. */
  readonly groups: readonly PositionedBlock<readonly ColumnReservation[]>[]
}

// The minimum height of a card, in minutes: a lower card could not be read or clicked.
const minHeight = 15

/** Returns one column per provider and date, ordered by provider and then by date. */
export function columnsOf(calendar: CalendarData, dates: readonly string[], clock: Clock): CalendarColumn[] {
  const reservations = Map.groupBy(calendar.reservations, ({ providerId }) => providerId)
  const busy = Map.groupBy(calendar.busy, ({ providerId }) => providerId)
  const shared = Map.groupBy(calendar.shared, ({ providerId }) => providerId)
  const held = Map.groupBy(calendar.held, ({ providerId }) => providerId)
  const days = dates.map((date) => ({ date, day: { start: clock.at(date, 0), end: clock.at(addDays(date, 1), 0) } }))
  return calendar.providers.flatMap(({ id, name, zone, open }) =>
    days.map(({ date, day }): CalendarColumn => {
      const within = <T extends TimeSpan>(items: readonly T[] | undefined): { item: T; block: Block }[] =>
        (items ?? []).flatMap((item) => {
          const block = blockIn(day, item, clock)
          return block ? [{ item, block }] : []
        })
      return {
        key: `${id}:${date}`,
        clock,
        provider: { id, name, zone },
        date,
        day,
        open: within(open).map(({ block }) => block),
        busy: within(busy.get(id)),
        shared: within(shared.get(id)),
        held: within(held.get(id)),
        ...cardsOf(within(reservations.get(id))),
      }
    }),
  )
}

/**
 * Arranges reservations that overlap side by side; several reservations of one slot (the same service, start and end)
 * become one card, except cancelled ones.
 */
function cardsOf(items: readonly { readonly item: ColumnReservation; readonly block: Block }[]) {
  const slots = Map.groupBy(
    items,
    ({ item }) => `${item.serviceId} ${item.start} ${item.end} ${item.status === 'cancelled' ? item.id : ''}`,
  )
  const entries = [...slots.values()].flatMap((seats) => {
    const [first] = seats
    if (!first) return []
    return [{ item: seats.map(({ item }) => item), block: first.block }]
  })
  const positioned = layOutBlocks(
    entries.map(({ item, block }) => ({ item, block: { ...block, height: Math.max(block.height, minHeight) } })),
  )
  return {
    cards: positioned.flatMap(({ item: [item, ...more], ...place }) =>
      item && more.length === 0 ? [{ ...place, item }] : [],
    ),
    groups: positioned.filter(({ item }) => item.length > 1),
  }
}

/**
 * Returns the part of a day that an interval covers: its start in minutes since midnight, and its height in minutes.
 * Returns undefined when the interval and the day do not overlap.
 */
function blockIn(day: TimeSpan, { start, end }: TimeSpan, clock: Clock): Block | undefined {
  if (start >= day.end || end <= day.start) return undefined
  const first = Math.max(start, day.start)
  const top = first === day.start ? 0 : clock.minuteOf(first)
  // The height is the elapsed time, regardless of clock changes.
  const height = Math.min((Math.min(end, day.end) - first) / 60, minutesOfDay - top)
  return { top, height }
}

/** The full hours of the time axis, in minutes since midnight. */
export const axisHours = Array.from({ length: 24 }, (_, hour) => hour * 60)

// A minute of the day. The initial scroll position ignores opening hours that start before this minute in a column,
// since they usually continue from the day before.
const earlyMorning = 5 * 60

/**
 * Returns the initial scroll position as a minute of the day: the earliest start of opening hours at or after 05:00, or
 * 08:00 when there is none.
 */
export function initialScrollMinute(columns: readonly CalendarColumn[]): number {
  const tops = columns.flatMap(({ open }) => open.map(({ top }) => top)).filter((top) => top >= earlyMorning)
  return tops.length === 0 ? 8 * 60 : Math.min(...tops)
}
