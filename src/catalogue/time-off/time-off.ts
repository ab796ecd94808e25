import { type Message, message } from '../../messages/message.ts'
import type { Interval } from '../../scheduling/time/interval.ts'

/** A stretch in which a provider does not work. */
export interface TimeOff extends Interval {
  readonly id: string
  readonly providerId: number
  /** What it is for; empty when nobody said. */
  readonly note: string
}

/** As long as one time off may be: two years, leap day included. */
const longestTimeOff = 731 * 86_400

/** What is wrong with a stretch of time off, by field; undefined when nothing is. */
export function timeOffFault({ start, end }: Interval): Readonly<Record<'end', Message>> | undefined {
  if (end <= start) return { end: message('must_be_after_start') }
  if (end - start > longestTimeOff) return { end: message('time_off_too_long') }
  return undefined
}
