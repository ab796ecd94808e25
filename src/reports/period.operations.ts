import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import type { ReadDatabase } from '../db/database.ts'
import { message } from '../messages/message.ts'
import { Refusal } from '../messages/refusal.ts'
import { openWindows } from '../scheduling/opening-hours.ts'
import { coveredSeconds } from '../scheduling/time/covered-time.ts'
import { dateText, parseDate } from '../scheduling/time/date.ts'
import type { Interval } from '../scheduling/time/interval.ts'
import { dayStart } from '../scheduling/time/zone.ts'
import { sumIncome } from './income.sql.ts'
import { countByDay, sumPrices, sumReserved } from './period.sql.ts'

/** A period in the site's time zone, by its first and last date (`YYYY-MM-DD`). */
export interface Period {
  readonly from: string
  readonly to: string
}

const maxDays = 92

/**
 * Returns the numbers of reservations, the reserved time and the time within opening hours for each day of a period,
 * both times for each provider, and the prices and the income by currency; for the providers in `providerIds` or, when
 * undefined, for all.
 */
export function showPeriod(db: ReadDatabase, period: Period, providerIds: readonly number[] | undefined) {
  return db.snapshot(async (read) => {
    const { site, providers } = await loadCatalogue(read)
    const days = daysOf(period, site.timezone)
    const whole = { start: days[0]?.start ?? 0, end: days.at(-1)?.end ?? 0 }
    const shown = providers.filter(({ id }) => providerIds?.includes(id) ?? true)
    const counted = await countByDay(read, days, providerIds)
    const reserved = await sumReserved(
      read,
      whole,
      shown.map(({ id }) => id),
    )
    const incomes = await sumPrices(read, whole, providerIds)
    const received = await sumIncome(read, [whole], { by: 'none', providerIds })
    const open = shown.map((provider) => {
      const windows = openWindows(provider, site.holidays, whole.start, whole.end)
      return { id: provider.id, name: provider.name, seconds: coveredSeconds(days, windows) }
    })
    const ofDay = new Map(counted.map((one) => [one.day, one]))
    return {
      days: days.map(({ date }, day) => ({
        date,
        pending: ofDay.get(day)?.pending ?? 0,
        confirmed: ofDay.get(day)?.confirmed ?? 0,
        cancelled: ofDay.get(day)?.cancelled ?? 0,
        reserved: ofDay.get(day)?.seconds ?? 0,
        open: sum(open.map(({ seconds }) => seconds[day] ?? 0)),
      })),
      incomes: incomes.sort((one, other) => other.amount - one.amount),
      received: received.map(({ money }) => money).sort((one, other) => other.amount - one.amount),
      providers: open.map(({ id, name, seconds }) => ({
        id,
        name,
        reserved: reserved.get(id) ?? 0,
        open: sum(seconds),
      })),
    }
  })
}

/**
 * Returns the days of a period in a zone, where `from` and `to` are dates or day numbers; refuses a period of more than
 * `most` days, and a period that ends before it begins.
 */
export function daysOf(
  { from, to }: { readonly from: string | number; readonly to: string | number },
  zone: string,
  most = maxDays,
): (Interval & { readonly date: string })[] {
  const first = dayOf(from)
  const count = dayOf(to) - first + 1
  if (count < 1 || count > most)
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('period_invalid'),
      details: {
        to: message('period_end_out_of_range', { days: most - 1 }),
      },
    })
  return Array.from({ length: count }, (_, place) => ({
    date: dateText(first + place),
    start: dayStart(zone, first + place),
    end: dayStart(zone, first + place + 1),
  }))
}

/**
 * Returns the day number (days since 1970-01-01) of a date; 0 for an invalid date. A day number is returned unchanged.
 */
function dayOf(date: string | number): number {
  return typeof date === 'number' ? date : (parseDate(date) ?? 0)
}

function sum(values: readonly number[]): number {
  return values.reduce((one, other) => one + other, 0)
}
