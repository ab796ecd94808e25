import { isColor } from '../../catalogue/services/color.ts'
import { parseWindow } from '../../scheduling/opening-hours.ts'
import { parseDate } from '../../scheduling/time/date.ts'
import { isZone } from '../../scheduling/time/zone.ts'

/** A named string format: its description for error messages, and its check. */
interface Format {
  readonly expected: string
  readonly test: (text: string) => boolean
}

const local = /^[^\s\p{Cc}()<>[\]:;,@\\"]{1,64}$/u
const label = /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u

/** An e-mail address: one `@`, no blanks, a domain of two or more labels; any script. */
function isEmail(text: string): boolean {
  const [name = '', domain = '', ...more] = text.split('@')
  if (more.length > 0 || !local.test(name) || /^\.|\.\.|\.$/.test(name)) return false
  const labels = domain.split('.')
  return labels.length > 1 && labels.every((part) => part.length <= 63 && label.test(part))
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

/** A BCP 47 language tag, with `_` for `-` as some host platforms write it; or empty. */
function isLanguage(text: string): boolean {
  return text === '' || languageTag.test(text.replaceAll('_', '-'))
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

/** The string formats that the contract names under `format`. */
export const formats: ReadonlyMap<string, Format> = new Map([
  [
    'email-or-none',
    { expected: 'an e-mail address such as name@example.com', test: (text) => text === '' || isEmail(text) },
  ],
  ['email', { expected: 'an e-mail address such as name@example.com', test: isEmail }],
  ['color', { expected: 'a CSS colour such as #3366cc', test: isColor }],
  ['timezone', { expected: 'an IANA time zone such as Europe/Berlin', test: isZone }],
  ['language', { expected: 'a language tag such as en or pt-BR', test: isLanguage }],
  ['date', { expected: 'a date such as 2026-12-24', test: (text) => parseDate(text) !== undefined }],
  [
    'window',
    { expected: 'opening hours such as 09:00-17:00 or 22:00-02:00', test: (text) => parseWindow(text) !== undefined },
  ],
  ['local-time', { expected: 'a local time such as 2026-12-01T09:00', test: isLocalTime }],
  ['site-url', { expected: 'an address that begins with http:// or https://', test: isSiteUrl }],
  ['currency', { expected: 'a currency code such as EUR', test: (text) => /^[A-Z]{3}$/.test(text) }],
  ['key', { expected: 'a key: one line of text, without blanks around it', test: isKey }],
  [
    'form-key',
    { expected: 'a letter, then letters, digits or _', test: (text) => /^[A-Za-z][A-Za-z0-9_]*$/.test(text) },
  ],
  ['service-id', { expected: 's_ and 32 letters or digits', test: (text) => /^s_[0-9A-Za-z]{32}$/.test(text) }],
  ['customer-id', { expected: 'c_ and 32 letters or digits', test: (text) => /^c_[0-9A-Za-z]{32}$/.test(text) }],
  ['reservation-id', { expected: 'r_ and 32 letters or digits', test: (text) => /^r_[0-9A-Za-z]{32}$/.test(text) }],
])
