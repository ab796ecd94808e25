/** Adds days to a date (`YYYY-MM-DD`); a negative number subtracts days. */
export function addDays(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

/** Returns the Monday of the week of a date, both `YYYY-MM-DD`. */
export function startOfWeek(date: string): string {
  return addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7))
}

/** Whether a text is a valid date of the form `YYYY-MM-DD`. */
export function isDate(text: string | undefined): text is string {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const read = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text)
}

/**
 * Returns the last day of a period (`YYYY-MM-DD`) whose first day becomes `first`: the first day itself if the period had
 * no last day or was one day long, or if it would end before it begins; otherwise the last day that it had.
 */
export function lastDayAfter(
  first: string,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): string {
  return !to || to === from || to < first ? first : to
}
