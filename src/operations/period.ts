import { dateText, parseDate } from '../domain/date.ts'
import type { Interval } from '../domain/interval.ts'
import { secondsWithin } from '../domain/open-time.ts'
import { Refusal } from '../domain/refusal.ts'
import { openWindows } from '../domain/schedule.ts'
import { dayStart } from '../domain/zone.ts'
import { loadCatalogue } from '../storage/catalogue.ts'
import type { ReadDatabase } from '../storage/database.ts'
import { countByDay, type Reserved, sumReserved } from '../storage/period.ts'

/** The first and the last date, by the site's clock. */
export interface Period {
  readonly from: string
  readonly to: string
}

const mostDays = 92

/** What begins in the period, day by day; of one provider alone where one is named. */
export function showPeriod(db: ReadDatabase, period: Period, ofProvider: number | undefined) {
  return db.snapshot(async (read) => {
    const { site, providers } = await loadCatalogue(read)
    const days = daysOf(period, site.timezone)
    const counted = await countByDay(read, days, ofProvider)
    const reserved = await sumReserved(read, days, ofProvider)
    const open = providers
      .filter(({ id }) => ofProvider === undefined || id === ofProvider)
      .map((provider) => {
        const windows = openWindows(provider, site.holidays, days[0]?.start ?? 0, days.at(-1)?.end ?? 0)
        return { id: provider.id, name: provider.name, seconds: secondsWithin(days, windows) }
      })
    const ofDay = totals(reserved, ({ day }) => day)
    const ofEach = totals(reserved, ({ providerId }) => providerId)
    const count = (day: number, status: string) =>
      sum(counted.filter((one) => one.day === day && one.status === status).map((one) => one.count))
    return {
      days: days.map(({ date }, day) => ({
        date,
        pending: count(day, 'pending'),
        confirmed: count(day, 'confirmed'),
        cancelled: count(day, 'cancelled'),
        reserved: ofDay.get(day) ?? 0,
        open: sum(open.map(({ seconds }) => seconds[day] ?? 0)),
      })),
      incomes: incomesOf(counted),
      providers: open.map(({ id, name, seconds }) => ({
        id,
        name,
        reserved: ofEach.get(id) ?? 0,
        open: sum(seconds),
      })),
    }
  })
}

function daysOf({ from, to }: Period, zone: string): (Interval & { readonly date: string })[] {
  const first = parseDate(from) ?? 0
  const count = (parseDate(to) ?? 0) - first + 1
  if (count < 1 || count > mostDays)
    throw new Refusal('invalid_parameter', 'The period is none that can be counted.', {
      to: `Must be the same date as from or a later one, and no more than ${mostDays - 1} days later.`,
    })
  return Array.from({ length: count }, (_, place) => ({
    date: dateText(first + place),
    start: dayStart(zone, first + place),
    end: dayStart(zone, first + place + 1),
  }))
}

function incomesOf(counted: Awaited<ReturnType<typeof countByDay>>) {
  const amounts = new Map<string, number>()
  for (const { status, currency, price } of counted)
    if (status === 'confirmed' && currency !== null) amounts.set(currency, (amounts.get(currency) ?? 0) + price)
  return [...amounts]
    .map(([currency, amount]) => ({ currency, amount }))
    .sort((one, other) => other.amount - one.amount)
}

function totals(reserved: readonly Reserved[], keyOf: (one: Reserved) => number): Map<number, number> {
  const found = new Map<number, number>()
  for (const one of reserved) found.set(keyOf(one), (found.get(keyOf(one)) ?? 0) + one.seconds)
  return found
}

function sum(values: readonly number[]): number {
  return values.reduce((one, other) => one + other, 0)
}
