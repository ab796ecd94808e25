import { type SmsPresetId, smsPresets } from '../../../../../src/notifications/sms/presets.ts'
import { smsKinds } from '../../../../../src/notifications/sms/sms.ts'
import type { Item, PanelRouteRequest } from '../../../data/request.ts'

/** The settings of the SMS gateway as the service returns them. */
export type ShownSmsSettings = Item<'GET /notifications/sms/'>
/** A change of the settings of the SMS gateway; absent fields remain as they are. */
export type SmsChange = PanelRouteRequest<'POST /notifications/sms/edit/'>['body']

/**
 * The values of the form of the SMS gateway. Each property except `removesHeaders` has the name of a setting in the
 * API, so that an API error, which names a setting, is shown at its field.
 */
export interface SmsValues {
  readonly enabled: boolean
  readonly url: string
  readonly method: string
  readonly contentType: string
  readonly sender: string
  readonly user: string
  /** The new password; empty to leave the stored password unchanged. */
  readonly password: string
  /**
   * The new HTTP headers, one `name: value` per line, which replace all stored headers. If empty, the stored headers
   * are retained, unless `removesHeaders` is true.
   */
  readonly headers: string
  /** Whether the stored headers are removed when `headers` is empty. */
  readonly removesHeaders: boolean
  readonly body: string
  /** Texts, one per line; a gateway response with one of these texts means that the number cannot receive messages. */
  readonly refusals: string
  readonly kinds: readonly string[]
}

/** Converts stored gateway settings to the initial form values. */
export function smsValuesOf(settings: ShownSmsSettings): SmsValues {
  const { enabled, url, method, contentType, sender, user, body, refusals, kinds } = settings
  return {
    ...{ enabled, url, method, contentType, sender, user, password: '', headers: '', removesHeaders: false, body },
    ...{ refusals: refusals.join('\n'), kinds: [...kinds] },
  }
}

/**
 * Fills in the settings of a gateway preset; all other values remain as they are. The preset replaces or removes the
 * stored headers, since they may contain a secret of another gateway.
 */
export function withPreset(values: SmsValues, id: SmsPresetId): SmsValues {
  const { url, method, contentType, user, headers, body, refusals } = smsPresets[id]
  const own = { url, method, contentType, user, body }
  return { ...values, ...own, headers: headers.join('\n'), removesHeaders: true, refusals: refusals.join('\n') }
}

/** Returns the gateway settings that the user changed in the form, in the format of the API. */
export function smsChangeOf(values: SmsValues, before: SmsValues): SmsChange {
  const was: Readonly<Record<string, unknown>> = { ...bodyOf(before) }
  const changed = Object.entries(bodyOf(values)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]),
  )
  return {
    ...Object.fromEntries(changed),
    ...(values.password !== '' && { password: values.password }),
    ...((values.headers.trim() !== '' || values.removesHeaders) && { headers: headersOf(values.headers) }),
  }
}

function bodyOf({ password: _, headers: __, removesHeaders: ___, refusals, kinds, ...values }: SmsValues) {
  const texts = { url: values.url.trim(), sender: values.sender.trim(), user: values.user.trim() }
  return { ...values, ...texts, refusals: linesOf(refusals), kinds: smsKinds.filter((kind) => kinds.includes(kind)) }
}

/** The codes of errors that the form detects before it sends the gateway settings. */
export type SmsErrorCode = 'urlMissing' | 'bodyMissing' | 'placeholderLeft'

/** Returns the errors that can be detected before the gateway settings are sent, each with its form field. */
export function validateSms({ enabled, url, body, user }: SmsValues): readonly (readonly [string, SmsErrorCode])[] {
  // Presets contain placeholders such as ACCOUNT_SID, which the administrator must replace.
  const left = /\b[A-Z]+_(?:[A-Z]+_)?(?:SID|ID|KEY)\b/
  const errors: (readonly [string, SmsErrorCode | false])[] = [
    ['url', (enabled && url.trim() === '' && 'urlMissing') || (left.test(url) && 'placeholderLeft')],
    ['body', enabled && body.trim() === '' && 'bodyMissing'],
    ['user', left.test(user) && 'placeholderLeft'],
  ]
  return errors.flatMap(([field, error]) => (error === false ? [] : [[field, error] as const]))
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
