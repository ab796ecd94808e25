import { type NotificationKind, notificationKinds, propertiesOf } from '../notification.ts'

/** How the gateway is called. */
export type SmsMethod = 'POST' | 'PUT' | 'GET'

/** The content types of a request to the gateway; JSON is validated when the settings are saved. */
export const smsContentTypes = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'] as const

/** The content type of a request to the gateway. */
export type SmsContentType = (typeof smsContentTypes)[number]

/** The settings of short messages, which one HTTP gateway delivers as SMS or chat messages. */
export interface SmsSettings {
  readonly enabled: boolean
  readonly url: string
  readonly method: SmsMethod
  readonly contentType: SmsContentType
  /** The sender that the body may name: a number or a name registered with the gateway. */
  readonly sender: string
  /** The user of HTTP Basic authentication; `''` for none. */
  readonly user: string
  /** The body of a request as a Liquid template; with GET, the query string. */
  readonly body: string
  /** Texts in a response that say that the number cannot receive messages; compared without whitespace. */
  readonly refusals: readonly string[]
  /** The kinds of notifications that customers who agreed receive as short messages. */
  readonly kinds: readonly NotificationKind[]
}

/** The kinds of notifications that exist as short messages: those to customers. */
export const smsKinds: readonly NotificationKind[] = Object.keys(notificationKinds)
  .map((kind) => kind as NotificationKind)
  .filter((kind) => propertiesOf(kind).audience === 'customer')

/** The settings of a new site: no gateway. */
export const defaultSms: SmsSettings = {
  ...{ enabled: false, url: '', method: 'POST', contentType: 'application/json', sender: '', user: '', body: '' },
  refusals: [],
  kinds: ['confirmed', 'rescheduled', 'cancelled', 'reminder'],
}

/** What a request to the gateway is made from. */
export interface SmsVariables {
  /** The number in E.164 form, such as `+4930901820`. */
  readonly to: string
  /** The number without its plus sign. */
  readonly to_digits: string
  readonly sender: string
  readonly text: string
  readonly kind: string
  readonly locale: string
  /** The same for every attempt of one message. */
  readonly id: string
}

/** The outcome of one request to the gateway. */
export type SmsOutcome =
  | { readonly state: 'sent' }
  | {
      readonly state: 'bounced' | 'failed'
      /** What the log of messages shows. */
      readonly why: string
      /** The same without the response of the gateway, which may repeat number and text. */
      readonly cause: string
      readonly temporary: boolean
      /** Seconds that the gateway asked to wait. */
      readonly retryAfter: number | null
    }

/** The response of the gateway. */
export interface SmsResponse {
  readonly status: number
  readonly body: string
  readonly retryAfter: number | null
}

const shownBody = 300
// The gateway may accept the message later: it timed out, is overloaded, or does not know its credentials yet.
const temporaryStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 409, 425, 429])

/** Returns what a response of the gateway means. */
export function outcomeOfResponse(
  { status, body, retryAfter }: SmsResponse,
  { refusals }: Pick<SmsSettings, 'refusals'>,
): SmsOutcome {
  const plain = body.replace(/\s+/g, '')
  const refused = refusals.some((text) => plain.includes(text.replace(/\s+/g, '')))
  if (!refused && status >= 200 && status < 300) return { state: 'sent' }
  const cause = `HTTP ${status}`
  const shown = body.replace(/\p{Cc}+/gu, ' ').trim()
  const why = shown === '' ? cause : `${cause}: ${shown.slice(0, shownBody)}`
  if (refused) return { state: 'bounced', why, cause, temporary: false, retryAfter: null }
  const temporary = status >= 500 || (status >= 300 && status < 400) || temporaryStatuses.has(status)
  return { state: 'failed', why, cause, temporary, retryAfter }
}

/** Returns what a request without a response means. */
export function outcomeOfFault(reason: string, why: string): SmsOutcome {
  return { state: 'failed', why, cause: reason, temporary: true, retryAfter: null }
}

/** Whether a gateway can be called. */
export function isSmsConfigured({ url, body }: SmsSettings): boolean {
  return url !== '' && body !== ''
}

/** Whether a kind of notification is sent as a short message. */
export function isSmsWanted({ enabled, kinds }: SmsSettings, kind: NotificationKind): boolean {
  return enabled && kinds.includes(kind)
}
