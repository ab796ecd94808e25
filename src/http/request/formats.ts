import { isColor } from '../../catalogue/services/color.ts'
import { isEmail } from '../../customers/customer-email.ts'
import { hyphenated } from '../../messages/language-tag.ts'
import { type Message, message } from '../../messages/message.ts'
import { isKnownCurrency } from '../../money.ts'
import { parseWindow } from '../../scheduling/opening-hours.ts'
import { parseDate } from '../../scheduling/time/date.ts'
import { isZone } from '../../scheduling/time/zone.ts'

/** A named string format: its description for error messages, and its check. */
interface Format {
  readonly expected: Message
  readonly test: (text: string) => boolean
}

const subtags = [
  '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})',
  '(?:-[a-z]{4})?',
  '(?:-(?:[a-z]{2}|\\d{3}))?',
  '(?:-(?:[a-z\\d]{5,8}|\\d[a-z\\d]{3}))*',
  '(?:-[a-wyz\\d](?:-[a-z\\d]{2,8})+)*',
  '(?:-x(?:-[a-z\\d]{1,8})+)?',
]
const languageTag = new RegExp(`^${subtags.join('')}$`, 'i')

/** Whether a text is empty or a BCP 47 language tag; `_` is accepted for `-`, as some host platforms write it. */
function isLanguage(text: string): boolean {
  return text === '' || languageTag.test(hyphenated(text))
}

function isLocalTime(text: string): boolean {
  const [date = '', time = '', ...more] = text.split('T')
  return more.length === 0 && parseDate(date) !== undefined && /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(time)
}

function isSiteUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

function isKey(text: string): boolean {
  return text !== '' && text === text.trim() && !/\p{Cc}/u.test(text)
}

/** The string formats to which `format` refers in the contract's schemas. */
export const formats: ReadonlyMap<string, Format> = new Map([
  ['email-or-none', { expected: message('expected_email'), test: (text) => text === '' || isEmail(text) }],
  ['email', { expected: message('expected_email'), test: isEmail }],
  ['color', { expected: message('expected_color'), test: isColor }],
  ['timezone', { expected: message('expected_timezone'), test: isZone }],
  ['language', { expected: message('expected_language'), test: isLanguage }],
  ['date', { expected: message('expected_date'), test: (text) => parseDate(text) !== undefined }],
  ['window', { expected: message('expected_window'), test: (text) => parseWindow(text) !== undefined }],
  ['local-time', { expected: message('expected_local_time'), test: isLocalTime }],
  ['site-url', { expected: message('expected_url'), test: isSiteUrl }],
  ['currency', { expected: message('expected_currency'), test: (text) => /^[A-Z]{3}$/.test(text) }],
  ['known-currency', { expected: message('expected_known_currency'), test: isKnownCurrency }],
  ['key', { expected: message('expected_key'), test: isKey }],
  ['form-key', { expected: message('expected_form_key'), test: (text) => /^[A-Za-z][A-Za-z0-9_]*$/.test(text) }],
  ['service-id', { expected: message('expected_service_id'), test: (text) => /^s_[0-9A-Za-z]{32}$/.test(text) }],
  ['customer-id', { expected: message('expected_customer_id'), test: (text) => /^c_[0-9A-Za-z]{32}$/.test(text) }],
  [
    'reservation-id',
    { expected: message('expected_reservation_id'), test: (text) => /^r_[0-9A-Za-z]{32}$/.test(text) },
  ],
])
