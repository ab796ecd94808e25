import type { ReservationState } from './notification.ts'
import type { NotificationSettings } from './settings.ts'

/** A notification that is sent at a time relative to its reservation. */
export interface TimedNotification {
  readonly kind: 'reminder' | 'follow_up'
  /**
   * The minutes between the notification and its reservation: before the start for a reminder, after the end for a
   * follow-up.
   */
  readonly minutes: number
  readonly runAt: number
}

const minute = 60
// The share of the time from the due time of a reminder to the start of the reservation that must remain when the
// reminder is sent late. A reminder for one day ahead is sent until half a day before the start, one for an hour ahead
// until half an hour before.
const usefulShare = 0.5
const followUpUseful = 3 * 86_400

/** Returns the reminders and follow-up of a reservation that are due after `now`; none when it is not confirmed. */
export function timedNotifications(
  { start, end, status }: Pick<ReservationState, 'start' | 'end' | 'status'>,
  { reminders, followUp, disabled }: Pick<NotificationSettings, 'reminders' | 'followUp' | 'disabled'>,
  now: number,
): readonly TimedNotification[] {
  if (status !== 'confirmed') return []
  const before = disabled.includes('reminder')
    ? []
    : reminders.map((minutes) => ({ kind: 'reminder' as const, minutes, runAt: start - minutes * minute }))
  const after =
    followUp === null || disabled.includes('follow_up')
      ? []
      : [{ kind: 'follow_up' as const, minutes: followUp, runAt: end + followUp * minute }]
  return [...before, ...after].filter(({ runAt }) => runAt > now)
}

/**
 * Whether a late reminder or follow-up is still useful: a reminder, while more than half of the time between its due
 * time and the start of the reservation remains; a follow-up, while it is less than three days late.
 */
export function isUseful(
  { kind, minutes }: Pick<TimedNotification, 'kind' | 'minutes'>,
  { start, end }: Pick<ReservationState, 'start' | 'end'>,
  now: number,
): boolean {
  if (kind === 'follow_up') return now < end + minutes * minute + followUpUseful
  return now < start - minutes * minute * usefulShare
}
