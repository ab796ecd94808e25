import { datePlus } from '../../data/dates/dates.ts'

/** The date, `YYYY-MM-DD`, of an instant in a zone. */
export function dateAt(at: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return parts.format(at * 1000)
}

/** The selectable periods: offsets of the first and the last day from today. */
export const periods = {
  today: [0, 0],
  last7: [-6, 0],
  last30: [-29, 0],
  last90: [-89, 0],
  next7: [0, 6],
  next30: [0, 29],
} as const

/** The periods that reports offer. */
export const reportPeriodNames = ['last30', 'thisMonth', 'lastMonth', 'thisYear', 'lastYear'] as const

/** Returns the first and the last date of each period that reports offer; the last 30 days end with yesterday. */
export function reportPeriods(
  today: string,
): Readonly<Record<(typeof reportPeriodNames)[number], { readonly from: string; readonly to: string }>> {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const months = (from: number, count: number) => ({
    from: new Date(Date.UTC(year, from, 1)).toISOString().slice(0, 10),
    to: new Date(Date.UTC(year, from + count, 0)).toISOString().slice(0, 10),
  })
  return {
    last30: { from: datePlus(today, -30), to: datePlus(today, -1) },
    thisMonth: months(month - 1, 1),
    lastMonth: months(month - 2, 1),
    thisYear: months(0, 12),
    lastYear: months(-12, 12),
  }
}

/** The name of a selectable period. */
export type PeriodName = keyof typeof periods

/** Returns the period that the query parameter names; the last 30 days by default. */
export function periodOf(name: string | undefined): PeriodName {
  return isPeriod(name) ? name : 'last30'
}

function isPeriod(name: string | undefined): name is PeriodName {
  return name !== undefined && Object.hasOwn(periods, name)
}
