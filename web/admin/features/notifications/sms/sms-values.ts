import { type SmsPresetId, smsPresets } from '../../../../../src/notifications/sms/presets.ts'
import { smsKinds } from '../../../../../src/notifications/sms/sms.ts'
import type { Item, PanelQuery } from '../../../data/request.ts'

/** The gateway of short messages as the service returns it. */
export type SmsSettings = Item<'GET /notifications/sms/'>
/** A change of the gateway. */
export type SmsChange = PanelQuery<'POST /notifications/sms/edit/'>['body']

/** The known gateways, in display order. */
export const presetIds: readonly SmsPresetId[] = ['twilio', 'vonage', 'whatsapp']

/** The values of the form; the names are those of the settings, so that refusals find their fields. */
export interface SmsValues {
  readonly enabled: boolean
  readonly url: string
  readonly method: string
  readonly contentType: string
  readonly sender: string
  readonly user: string
  /** Empty keeps the stored one. */
  readonly password: string
  /** One header a line; empty keeps the stored ones. */
  readonly headers: string
  readonly body: string
  /** One text a line. */
  readonly refusals: string
  readonly kinds: readonly string[]
}

/** Returns the initial values of the form. */
export function smsValuesOf(settings: SmsSettings): SmsValues {
  const { enabled, url, method, contentType, sender, user, body, refusals, kinds } = settings
  return {
    ...{ enabled, url, method, contentType, sender, user, password: '', headers: '', body },
    ...{ refusals: refusals.join('\n'), kinds: [...kinds] },
  }
}

/** Fills in what a known gateway requires; sender, password and kinds remain. */
export function withPreset(values: SmsValues, id: SmsPresetId): SmsValues {
  const { url, method, contentType, user, headers, body, refusals } = smsPresets[id]
  const own = { url, method, contentType, user, body }
  return { ...values, ...own, headers: headers.join('\n'), refusals: refusals.join('\n') }
}

/** Returns the settings that the user changed in the form. */
export function changeOfSms(values: SmsValues, before: SmsValues): SmsChange {
  const was: Readonly<Record<string, unknown>> = { ...bodyOf(before) }
  const changed = Object.entries(bodyOf(values)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]),
  )
  return {
    ...Object.fromEntries(changed),
    ...(values.password !== '' && { password: values.password }),
    ...(values.headers.trim() !== '' && { headers: headersOf(values.headers) }),
  }
}

function bodyOf({ password: _, headers: __, refusals, kinds, ...values }: SmsValues) {
  const texts = { url: values.url.trim(), sender: values.sender.trim(), user: values.user.trim() }
  return { ...values, ...texts, refusals: linesOf(refusals), kinds: smsKinds.filter((kind) => kinds.includes(kind)) }
}

/** The codes of errors that the form detects before it sends the settings. */
export type SmsFault = 'urlMissing' | 'bodyMissing' | 'placeholderLeft'

/** Returns the errors that can be detected before the settings are sent, by field. */
export function faultsOfSms({ enabled, url, body, user }: SmsValues): readonly (readonly [string, SmsFault])[] {
  // Presets mark what is to be replaced with words such as ACCOUNT_SID.
  const left = /\b[A-Z]+_(?:[A-Z]+_)?(?:SID|ID|KEY)\b/
  const faults: (readonly [string, SmsFault | false])[] = [
    ['url', (enabled && url.trim() === '' && 'urlMissing') || (left.test(url) && 'placeholderLeft')],
    ['body', enabled && body.trim() === '' && 'bodyMissing'],
    ['user', left.test(user) && 'placeholderLeft'],
  ]
  return faults.flatMap(([field, fault]) => (fault === false ? [] : [[field, fault] as const]))
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function headersOf(text: string): { name: string; value: string }[] {
  return linesOf(text).map((line) => {
    const [name = '', ...rest] = line.split(':')
    return { name: name.trim(), value: rest.join(':').trim() }
  })
}
