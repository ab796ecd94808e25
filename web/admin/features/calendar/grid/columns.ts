import type { Item } from '../../../data/ask.ts'
import { type Clock, timeText } from '../../../data/dates/clock.ts'
import { datePlus } from '../../../data/dates/dates.ts'
import { type Block, type Laid, sideBySide } from './layout.ts'

export type CalendarData = Item<'GET /calendar/'>
export type ColumnReservation = CalendarData['reservations'][number]
export type ColumnProvider = CalendarData['providers'][number]
export type ColumnService = CalendarData['services'][number]
export type ColumnBusy = CalendarData['busy'][number]
type Shared = CalendarData['shared'][number]

/** A stretch of time, half open, in Unix seconds. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** One day of one provider, with all that is in it. */
export interface CalendarColumn {
  readonly key: string
  readonly provider: Pick<ColumnProvider, 'id' | 'name' | 'zone'>
  readonly date: string
  /** From the first instant of the day to that of the next. */
  readonly day: Stretch
  readonly open: readonly Block[]
  readonly busy: readonly { readonly item: ColumnBusy; readonly block: Block }[]
  readonly shared: readonly { readonly item: Shared; readonly block: Block }[]
  readonly cards: readonly Laid<ColumnReservation>[]
  /** Reservations of one slot that are too many to stand beside each other. */
  readonly groups: readonly Laid<readonly ColumnReservation[]>[]
}

export const minutesOfDay = 1_440
// Shorter ones could not be read or hit.
const leastHeight = 15

/** The columns of some days: provider by provider, each with its days. */
export function columnsOf(calendar: CalendarData, dates: readonly string[], clock: Clock): CalendarColumn[] {
  const reservations = Map.groupBy(calendar.reservations, ({ providerId }) => providerId)
  const busy = Map.groupBy(calendar.busy, ({ providerId }) => providerId)
  const shared = Map.groupBy(calendar.shared, ({ providerId }) => providerId)
  const days = dates.map((date) => ({ date, day: { start: clock.at(date, 0), end: clock.at(datePlus(date, 1), 0) } }))
  return calendar.providers.flatMap(({ id, name, zone, open }) =>
    days.map(({ date, day }): CalendarColumn => {
      const within = <T extends Stretch>(items: readonly T[] | undefined): { item: T; block: Block }[] =>
        (items ?? []).flatMap((item) => {
          const block = blockIn(day, item, clock)
          return block ? [{ item, block }] : []
        })
      return {
        key: `${id}:${date}`,
        provider: { id, name, zone },
        date,
        day,
        open: within(open).map(({ block }) => block),
        busy: within(busy.get(id)),
        shared: within(shared.get(id)),
        ...cardsOf(within(reservations.get(id))),
      }
    }),
  )
}

// More of them would be too narrow to read.
const mostBeside = 3

/** The reservations side by side, those of one slot as one card where they are many. */
function cardsOf(items: readonly { readonly item: ColumnReservation; readonly block: Block }[]) {
  const slots = Map.groupBy(items, ({ item }) => `${item.serviceId} ${item.start} ${item.end}`)
  const entries = [...slots.values()].flatMap((seats) => {
    const [first] = seats
    if (!first || seats.length <= mostBeside) return seats.map(({ item, block }) => ({ item: [item], block }))
    return [{ item: seats.map(({ item }) => item), block: first.block }]
  })
  const laid = sideBySide(
    entries.map(({ item, block }) => ({ item, block: { ...block, height: Math.max(block.height, leastHeight) } })),
  )
  return {
    cards: laid.flatMap(({ item: [item, ...more], ...place }) =>
      item && more.length === 0 ? [{ ...place, item }] : [],
    ),
    groups: laid.filter(({ item }) => item.length > 1),
  }
}

/** Where a stretch lies in a day; undefined when it does not touch it. */
function blockIn(day: Stretch, { start, end }: Stretch, clock: Clock): Block | undefined {
  if (start >= day.end || end <= day.start) return undefined
  const first = Math.max(start, day.start)
  const top = first === day.start ? 0 : clock.minuteOf(first)
  // As long as it takes, whatever the clock does meanwhile.
  const height = Math.min((Math.min(end, day.end) - first) / 60, minutesOfDay - top)
  return { top, height }
}

/** The whole hours of the axis. */
export const hours = Array.from({ length: 24 }, (_, hour) => ({ top: hour * 60, text: timeText(hour * 60) }))

// Who works past midnight does not make the day of the others begin there.
const earlyMorning = 5 * 60

/** When the first of the providers opens in the morning: where a day is best looked at first. */
export function firstMinute(columns: readonly CalendarColumn[]): number {
  const tops = columns.flatMap(({ open }) => open.map(({ top }) => top)).filter((top) => top >= earlyMorning)
  return tops.length === 0 ? 8 * 60 : Math.min(...tops)
}
