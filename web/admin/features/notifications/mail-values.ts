import { isNotificationKind, notificationKinds } from '../../../../src/notifications/notification.ts'
import { switchableKinds } from '../../../../src/notifications/settings.ts'
import type { Item, PanelRouteRequest } from '../../data/request.ts'

/** The notification settings as the service returns them. */
export type ShownMailSettings = Item<'GET /notifications/settings/'>
/** A change of the notification settings, as the panel sends it; absent fields remain as they are. */
export type MailChange = PanelRouteRequest<'POST /notifications/settings/edit/'>['body']

/** The units in which a user enters how long before or after an appointment a message is sent, the largest first. */
export const offsetUnits = ['days', 'hours', 'minutes'] as const

/** A unit in which a user enters how long before or after an appointment a message is sent. */
export type OffsetUnit = (typeof offsetUnits)[number]

/** How long before or after an appointment a message is sent (an offset), as a user enters it. */
export interface OffsetValues {
  readonly amount: number | string
  readonly unit: OffsetUnit
}

/** What happens to the stored SMTP password: left unchanged, replaced or removed. */
export type PasswordChoice = 'keep' | 'replace' | 'remove'

/**
 * The values of the form of notification settings. Most properties have the name of a setting in the API, so that an
 * API error, which names a setting, is shown at its field; `fieldOf` in `mail-settings.tsx` maps the other names.
 */
export interface MailValues {
  readonly enabled: boolean
  readonly smtp: {
    readonly host: string
    readonly port: number | string
    readonly security: string
    readonly user: string
  }
  readonly passwordChoice: PasswordChoice
  readonly password: string
  readonly from: { readonly name: string; readonly address: string }
  readonly replyTo: string
  readonly staffAddress: string
  /**
   * The reminders as form rows. Each row has a React key, so that removing one row does not mix up the fields of the
   * others.
   */
  readonly reminders: readonly (OffsetValues & { readonly key: string })[]
  readonly followUp: OffsetValues & { readonly on: boolean }
  readonly quietHours: { readonly on: boolean; readonly from: string; readonly until: string }
  readonly agenda: { readonly on: boolean; readonly at: string }
  readonly sent: readonly string[]
}

const minutesOfUnit: Readonly<Record<OffsetUnit, number>> = { days: 1_440, hours: 60, minutes: 1 }
const [minOffset, maxOffset] = [5, 60 * 1_440]

/** Every kind of notification about a reservation, in display order. */
export const allKinds = Object.keys(notificationKinds).filter(isNotificationKind)

/**
 * Converts an offset (the minutes between a message and its appointment) to the largest unit that expresses it as a
 * whole number.
 */
export function offsetValuesOf(minutes: number): OffsetValues {
  const unit = offsetUnits.find((one) => minutes % minutesOfUnit[one] === 0) ?? 'minutes'
  return { amount: minutes / minutesOfUnit[unit], unit }
}

/**
 * Converts an entered offset (the time between a message and its appointment) to minutes. Returns undefined unless it
 * is a whole number of minutes from 5 minutes to 60 days.
 */
export function offsetMinutes({ amount, unit }: OffsetValues): number | undefined {
  const minutes = amount === '' ? Number.NaN : Number(amount) * minutesOfUnit[unit]
  return Number.isInteger(minutes) && minutes >= minOffset && minutes <= maxOffset ? minutes : undefined
}

/** Converts stored notification settings to the initial form values; `newKey` generates the key of a reminder's row. */
export function mailValuesOf(settings: ShownMailSettings, newKey: () => string): MailValues {
  const { enabled, smtp, from, replyTo, staffAddress, reminders, followUp, quietHours, agendaAt, disabled } = settings
  return {
    ...{ enabled, smtp: { ...smtp }, passwordChoice: settings.hasPassword ? 'keep' : 'replace', password: '' },
    ...{ from: { ...from }, replyTo, staffAddress },
    reminders: reminders.map((minutes) => ({ key: newKey(), ...offsetValuesOf(minutes) })),
    followUp: { on: followUp !== null, ...offsetValuesOf(followUp ?? 1_440) },
    quietHours: { on: quietHours !== null, ...(quietHours ?? { from: '21:00', until: '08:00' }) },
    agenda: { on: agendaAt !== null, at: agendaAt ?? '07:00' },
    sent: switchableKinds.filter((kind) => !disabled.includes(kind)),
  }
}

/** Returns the notification settings that the user changed in the form, in the format of the API. */
export function mailChangeOf(values: MailValues, before: MailValues): MailChange {
  const was: Readonly<Record<string, unknown>> = { ...bodyOf(before) }
  const entries = Object.entries(bodyOf(values))
  const changed = entries.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]))
  return { ...Object.fromEntries(changed), ...passwordOf(values) }
}

function bodyOf({ enabled, smtp, from, replyTo, staffAddress, ...more }: MailValues) {
  const { followUp, quietHours, agenda } = more
  return {
    enabled,
    smtp: { ...smtp, host: smtp.host.trim(), port: Number(smtp.port), user: smtp.user.trim() },
    from: { name: from.name.trim(), address: from.address.trim() },
    ...{ replyTo: replyTo.trim(), staffAddress: staffAddress.trim() },
    reminders: more.reminders.map((reminder) => offsetMinutes(reminder)),
    followUp: followUp.on ? offsetMinutes(followUp) : null,
    quietHours: quietHours.on ? { from: quietHours.from, until: quietHours.until } : null,
    agendaAt: agenda.on ? agenda.at : null,
    disabled: switchableKinds.filter((kind) => !more.sent.includes(kind)),
  }
}

function passwordOf({ passwordChoice, password }: MailValues): Pick<MailChange, 'password'> {
  if (passwordChoice === 'remove') return { password: null }
  return passwordChoice === 'replace' && password !== '' ? { password } : {}
}

/** The codes of errors that the form detects before it sends the notification settings. */
export type MailErrorCode =
  | 'hostMissing'
  | 'addressMissing'
  | 'addressWrong'
  | 'portWrong'
  | 'offsetWrong'
  | 'offsetTwice'
  | 'timeWrong'

/** Returns the errors that can be detected before the notification settings are sent, each with its form field. */
export function validateMail(
  { enabled, smtp, from, ...more }: MailValues,
  { smtpGiven }: Pick<ShownMailSettings, 'smtpGiven'>,
): readonly (readonly [string, MailErrorCode])[] {
  const { reminders, followUp, quietHours, agenda } = more
  const errors: (readonly [string, MailErrorCode | false])[] = [
    ['smtp.host', enabled && !smtpGiven && smtp.host.trim() === '' && 'hostMissing'],
    ['smtp.port', !isPort(smtp.port) && 'portWrong'],
    ['from.address', addressError(from.address) ?? (enabled && from.address.trim() === '' && 'addressMissing')],
    ['replyTo', addressError(more.replyTo) ?? false],
    ['staffAddress', addressError(more.staffAddress) ?? false],
    ...reminders.map((_, at) => [`reminders.${at}.amount`, reminderError(reminders, at)] as const),
    ['followUp.amount', followUp.on && offsetMinutes(followUp) === undefined && 'offsetWrong'],
    ['quietHours.from', quietHours.on && !isTime(quietHours.from) && 'timeWrong'],
    ['agenda.at', agenda.on && !isTime(agenda.at) && 'timeWrong'],
    ['quietHours.until', quietHours.on && !isTime(quietHours.until) && 'timeWrong'],
  ]
  return errors.flatMap(([field, error]) => (error === false ? [] : [[field, error] as const]))
}

function reminderError(reminders: MailValues['reminders'], at: number): MailErrorCode | false {
  const minutes = reminders.map(offsetMinutes)
  if (minutes[at] === undefined) return 'offsetWrong'
  return minutes.indexOf(minutes[at]) < at && 'offsetTwice'
}

function addressError(text: string): MailErrorCode | undefined {
  const address = text.trim()
  return address === '' || /^[^\s@]+@[^\s@]+$/.test(address) ? undefined : 'addressWrong'
}

function isPort(port: number | string): boolean {
  return port !== '' && Number.isInteger(Number(port)) && Number(port) >= 1 && Number(port) <= 65_535
}

function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
}
