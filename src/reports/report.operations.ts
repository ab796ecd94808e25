import { setImmediate } from 'node:timers/promises'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ReadDatabase } from '../db/database.ts'
import type { Money } from '../money.ts'
import { openWindows } from '../scheduling/opening-hours.ts'
import { coveredSeconds } from '../scheduling/time/covered-time.ts'
import { parseDate, weekdayOf } from '../scheduling/time/date.ts'
import type { Interval } from '../scheduling/time/interval.ts'
import { sumIncome } from './income.sql.ts'
import { isWholeMonths, monthsBefore, monthsOf } from './months.ts'
import { daysOf, type Period } from './period.operations.ts'
import { countByKey, countCustomers, type ReportCounts, type ReportKey } from './report.sql.ts'
import type { ReportDimension } from './report.ts'

/** The query of a report: its period, and the dimension of its rows. */
export interface ReportQuery extends Period {
  readonly by: ReportDimension
}

const maxDays = 366

const keyOf = {
  provider: 'provider',
  service: 'service',
  month: 'none',
  weekday: 'local_hour',
  hour: 'local_hour',
} as const satisfies Record<ReportDimension, ReportKey>

const nothing: ReportCounts = { bookings: 0, cancelled: 0, noShows: 0, attended: 0, seconds: 0 }

/**
 * Returns the figures of a period by provider, service or month, or by weekday or hour of the provider's local start,
 * with those of an earlier period, for the providers in `providerIds` or, when undefined, for all. Months are those of
 * the site's time zone, like the period. The earlier period is that of `monthsBefore` when the report is by month or
 * its period consists of whole months, otherwise the same number of days directly before. Income counts in the period
 * in which a payment, refund or dispute is recorded; the rows of a report by weekday or hour have no income.
 */
export async function showReport(db: ReadDatabase, query: ReportQuery, providerIds: readonly number[] | undefined) {
  const catalogue = await db.snapshot(loadCatalogue)
  const { timezone } = catalogue.site
  const { by } = query
  const days = daysOf(query, timezone, maxDays)
  const monthly = by === 'month'
  // The earlier months can have a few days more than those of the report, so their limit of days is raised by one
  // month.
  const before =
    monthly || isWholeMonths(query)
      ? daysOf(monthsBefore(query), timezone, maxDays + 31)
      : daysBefore(days.length, query, timezone)
  const now = await countAll(db, by, days, providerIds)
  const then = await countAll(db, by, before, providerIds)
  const income = await incomesOf(db, by, days, providerIds)
  const incomeThen = await incomesOf(db, by, before, providerIds)
  const found = [...now.keys(), ...then.keys(), ...income.keys(), ...incomeThen.keys()]
  const names = by === 'month' ? namesOfMonths(monthsOf(query)) : namesOf(catalogue, by, found, providerIds)
  const keysThen = monthly ? monthsOf(monthsBefore(query)) : [...names.keys()]
  return {
    rows: [...names].map(([key, name], at) => ({
      key,
      name,
      ...(now.get(key) ?? nothing),
      income: income.get(key) ?? [],
      previous: {
        ...(then.get(keysThen[at] ?? key) ?? nothing),
        income: incomeThen.get(keysThen[at] ?? key) ?? [],
      },
      open: by === 'provider' ? openSeconds(catalogue, Number(key), days) : null,
    })),
    customers: await countCustomers(db, spanOf(days), providerIds),
    previousCustomers: await countCustomers(db, spanOf(before), providerIds),
  }
}

function namesOfMonths(months: readonly string[]): ReadonlyMap<string, string> {
  return new Map(months.map((month) => [month, '']))
}

function daysBefore(count: number, { from }: Period, zone: string) {
  const first = parseDate(from) ?? 0
  return daysOf({ from: first - count, to: first - 1 }, zone, maxDays)
}

type Day = Interval & { readonly date: string }

function byMonth(days: readonly Day[]): Map<string, Day[]> {
  return Map.groupBy(days, ({ date }) => date.slice(0, 7))
}

type Sums = ReadonlyMap<string, readonly Money[]>

/**
 * Returns the income of each row of a report, per currency, by the key of the row; empty for a report by weekday or
 * hour.
 */
async function incomesOf(
  db: ReadDatabase,
  by: ReportDimension,
  days: readonly Day[],
  providerIds: readonly number[] | undefined,
): Promise<Sums> {
  if (by === 'weekday' || by === 'hour') return new Map()
  const months = byMonth(days)
  const periods = by === 'month' ? [...months.values()].map(spanOf) : [spanOf(days)]
  const key = by === 'month' ? 'none' : by
  const sums = await sumIncome(db, periods, { by: key, providerIds })
  const names = [...months.keys()]
  const incomes = Map.groupBy(sums, (one) => (by === 'month' ? (names[one.period] ?? '') : one.key))
  return new Map([...incomes].map(([name, found]) => [name, found.map(({ money }) => money)]))
}

function spanOf(days: readonly Interval[]): Interval {
  return { start: days[0]?.start ?? 0, end: days.at(-1)?.end ?? 0 }
}

async function countAll(
  db: ReadDatabase,
  by: ReportDimension,
  days: readonly Day[],
  providerIds: readonly number[] | undefined,
): Promise<ReadonlyMap<string, ReportCounts>> {
  const counted = new Map<string, ReportCounts>()
  for (const [month, daysOfMonth] of byMonth(days)) {
    for (const [key, counts] of await countByKey(db, keyOf[by], spanOf(daysOfMonth), providerIds)) {
      const group = by === 'month' ? month : groupOf(by, key)
      counted.set(group, sumOf(counted.get(group) ?? nothing, counts))
    }
    // Other requests run between the months of a long period.
    await setImmediate()
  }
  return counted
}

/**
 * Returns the key of the report's row to which a group of reservations belongs: the group `2026-12-01T09` belongs to
 * weekday `1` (Tuesday) and to hour `9`.
 */
function groupOf(by: ReportDimension, key: string): string {
  if (by === 'weekday') return String(weekdayOf(parseDate(key.slice(0, 10)) ?? 0))
  return by === 'hour' ? String(Number(key.slice(11))) : key
}

function sumOf(one: ReportCounts, other: ReportCounts): ReportCounts {
  return {
    bookings: one.bookings + other.bookings,
    cancelled: one.cancelled + other.cancelled,
    noShows: one.noShows + other.noShows,
    attended: one.attended + other.attended,
    seconds: one.seconds + other.seconds,
  }
}

/**
 * Returns the names of the report's rows by key: every provider (of `providerIds`), service or weekday, or the hours
 * from the first to the last with a reservation in the report's period or the earlier period. Weekdays and hours have
 * an empty name.
 */
function namesOf(
  { providers, services }: Catalogue,
  by: Exclude<ReportDimension, 'month'>,
  found: readonly string[],
  providerIds: readonly number[] | undefined,
): ReadonlyMap<string, string> {
  if (by === 'weekday') return new Map(Array.from({ length: 7 }, (_, day) => [String(day), '']))
  if (by === 'hour') {
    const hours = found.map(Number)
    const [first, last] = [Math.min(...hours), Math.max(...hours)]
    return new Map(
      hours.length === 0 ? [] : Array.from({ length: last - first + 1 }, (_, n) => [String(first + n), '']),
    )
  }
  const known =
    by === 'provider'
      ? providers
          .filter(({ id }) => providerIds?.includes(id) ?? true)
          .map(({ id, name }) => [String(id), name] as const)
      : services.map(({ id, name }) => [id, name] as const)
  const names = new Map(known)
  // Removed providers and services that have figures still have a row, with an empty name. So has, with an empty key,
  // the income of removed reservations, of which neither is known.
  for (const key of found) if (!names.has(key)) names.set(key, '')
  return names
}

function openSeconds({ providers, site }: Catalogue, id: number, days: readonly Interval[]): number {
  const provider = providers.find((one) => one.id === id)
  if (!provider) return 0
  const { start, end } = spanOf(days)
  return coveredSeconds(days, openWindows(provider, site.holidays, start, end)).reduce((sum, one) => sum + one, 0)
}
