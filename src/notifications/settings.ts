import { instantOfWall, offsetAt } from '../scheduling/time/zone.ts'
import { switchableAccountKinds } from './account/account-kinds.ts'
import { isNotificationKind, type NotificationKind, notificationKinds } from './notification.ts'
import { defaultSms, type SmsSettings } from './sms/sms.ts'

/** A kind of message that can be switched off. */
export type SwitchableKind = NotificationKind | (typeof switchableAccountKinds)[number]

/** Every kind of message that can be switched off, in display order. */
export const switchableKinds: readonly SwitchableKind[] = [
  ...Object.keys(notificationKinds).filter(isNotificationKind),
  ...switchableAccountKinds,
]

/** The encryption of the connection to the SMTP server: TLS from the start, STARTTLS, or none. */
export type SmtpSecurity = 'tls' | 'starttls' | 'none'

/** The SMTP server through which mail is sent. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly security: SmtpSecurity
  /** The user name for the SMTP server; `''` for a server without authentication. */
  readonly user: string
}

/** An e-mail address with a name. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/**
 * The hours, `HH:MM` in the site's zone, in which no follow-up is sent, and no reminder that can wait until they end;
 * they may extend past midnight.
 */
export interface QuietHours {
  readonly from: string
  readonly until: string
}

/** The settings of notifications. */
export interface NotificationSettings {
  readonly enabled: boolean
  readonly smtp: SmtpServer
  readonly from: Mailbox
  /** The address to which recipients reply, except to account mail; `''` for the sender's address. */
  readonly replyTo: string
  /** The address that receives notifications for staff; `''` when no address does. */
  readonly staffAddress: string
  /** One reminder for each element: the minutes before the start of a reservation. */
  readonly reminders: readonly number[]
  /** Minutes from the end of a reservation to the follow-up; null for no follow-up. */
  readonly followUp: number | null
  readonly quietHours: QuietHours | null
  /**
   * The time at which providers receive their agenda, `HH:MM` in their zone; null for never. With a time before noon,
   * the agenda lists the same day, otherwise the next day.
   */
  readonly agendaAt: string | null
  /** The kinds of messages that are not sent by mail. */
  readonly disabled: readonly SwitchableKind[]
  /** The settings of short messages (SMS), which only customers who agreed to them receive. */
  readonly sms: SmsSettings
}

/** The settings of a new site, which sends no messages. */
export const defaultSettings: NotificationSettings = {
  enabled: false,
  smtp: { host: '', port: 587, security: 'starttls', user: '' },
  from: { name: '', address: '' },
  replyTo: '',
  staffAddress: '',
  reminders: [1_440],
  followUp: null,
  quietHours: null,
  agendaAt: null,
  disabled: [],
  sms: defaultSms,
}

const daySeconds = 86_400

/** Returns the Unix time at which the quiet hours that contain `now` end in a zone; `now` outside of quiet hours. */
export function quietEnd({ from, until }: QuietHours, zone: string, now: number): number {
  const [start, end] = [secondsOf(from), secondsOf(until)]
  const length = (end - start + daySeconds) % daySeconds
  const wall = now + offsetAt(zone, now)
  const since = (((wall - start) % daySeconds) + daySeconds) % daySeconds
  // The end is computed in wall time, since quiet hours may contain a clock change.
  return since < length ? Math.max(now, instantOfWall(zone, wall - since + length)) : now
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 3_600 + minutes * 60
}
