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

/** The name of a selectable period. */
export type PeriodName = keyof typeof periods

/** Returns the period that the query parameter names; the last 30 days by default. */
export function periodOf(name: string | undefined): PeriodName {
  return isPeriod(name) ? name : 'last30'
}

function isPeriod(name: string | undefined): name is PeriodName {
  return name !== undefined && Object.hasOwn(periods, name)
}
