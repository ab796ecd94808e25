import { type Message, message } from '../../messages/message.ts'
import type { Interval } from '../../scheduling/time/interval.ts'

/** An interval in which a provider does not work. */
export interface TimeOff extends Interval {
  readonly id: string
  readonly providerId: number
  /** The reason for the time off, which only staff see; may be empty. */
  readonly note: string
}

/** The maximum length of a time off in seconds: two years, one of which may be a leap year. */
const maxTimeOff = 731 * 86_400

/** Returns what is wrong with the interval of a time off, by field; undefined when it is valid. */
export function timeOffFault({ start, end }: Interval): Readonly<Record<'end', Message>> | undefined {
  if (end <= start) return { end: message('must_be_after_start') }
  if (end - start > maxTimeOff) return { end: message('time_off_too_long') }
  return undefined
}
