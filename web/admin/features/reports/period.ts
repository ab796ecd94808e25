/** The date, `YYYY-MM-DD`, that a zone has at an instant. */
export function dateAt(at: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return parts.format(at * 1000)
}

/** The periods to choose from: the first and the last day, counted from today. */
export const periods = {
  today: [0, 0],
  last7: [-6, 0],
  last30: [-29, 0],
  last90: [-89, 0],
  next7: [0, 6],
  next30: [0, 29],
} as const

export type PeriodName = keyof typeof periods

/** The period that the address names; the last 30 days where it names none. */
export function periodOf(name: string | undefined): PeriodName {
  return isPeriod(name) ? name : 'last30'
}

function isPeriod(name: string | undefined): name is PeriodName {
  return name !== undefined && Object.hasOwn(periods, name)
}
