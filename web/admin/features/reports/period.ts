import { addDays } from '../../data/dates/dates.ts'

/**
 * The periods that the page Today and the fair-share report offer. Each period is given by its first and its last date,
 * in days relative to today.
 */
export const periods = {
  today: [0, 0],
  last7: [-6, 0],
  last30: [-29, 0],
  last90: [-89, 0],
  next7: [0, 6],
  next30: [0, 29],
} as const

/** The periods that the page Reports offers. */
export const reportPeriodNames = ['last30', 'thisMonth', 'lastMonth', 'thisYear', 'lastYear'] as const

/** Returns the first and the last date of each period that the page Reports offers; `last30` ends with yesterday. */
export function reportPeriods(
  today: string,
): Readonly<Record<(typeof reportPeriodNames)[number], { readonly from: string; readonly to: string }>> {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const months = (from: number, count: number) => ({
    from: new Date(Date.UTC(year, from, 1)).toISOString().slice(0, 10),
    to: new Date(Date.UTC(year, from + count, 0)).toISOString().slice(0, 10),
  })
  return {
    last30: { from: addDays(today, -30), to: addDays(today, -1) },
    thisMonth: months(month - 1, 1),
    lastMonth: months(month - 2, 1),
    thisYear: months(0, 12),
    lastYear: months(-12, 12),
  }
}

/** The name of a period in `periods`. */
export type PeriodName = keyof typeof periods

/** Returns the period that the query parameter `period` names; the last 30 days by default. */
export function periodOf(name: string | undefined): PeriodName {
  return isPeriod(name) ? name : 'last30'
}

function isPeriod(name: string | undefined): name is PeriodName {
  return name !== undefined && Object.hasOwn(periods, name)
}
