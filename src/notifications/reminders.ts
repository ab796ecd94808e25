import type { ReservationState } from './notification.ts'
import type { NotificationSettings } from './settings.ts'

/** A notification that is sent at a time relative to its reservation. */
export interface TimedNotification {
  readonly kind: 'reminder' | 'follow_up'
  /** Minutes before the start of a reminder, after the end of a follow-up. */
  readonly minutes: number
  readonly runAt: number
}

const minute = 60
// A reminder of a day before is worth sending half a day late, one of an hour before half an hour.
const usefulShare = 0.5
const followUpUseful = 3 * 86_400

/** The reminders and the follow-up of a reservation that are still to come. */
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

/** Whether sending it now still helps its recipient: the appointment has not begun, and most of the notice remains. */
export function isUseful(
  { kind, minutes }: Pick<TimedNotification, 'kind' | 'minutes'>,
  { start, end }: Pick<ReservationState, 'start' | 'end'>,
  now: number,
): boolean {
  if (kind === 'follow_up') return now < end + minutes * minute + followUpUseful
  return now < start - minutes * minute * usefulShare
}
