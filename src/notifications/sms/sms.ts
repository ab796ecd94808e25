import { isNotificationKind, type NotificationKind, notificationKinds, propertiesOf } from '../notification.ts'

/** The HTTP method of a request to the gateway. */
export type SmsMethod = 'POST' | 'PUT' | 'GET'

/** The content types of a request to the gateway; a JSON body is validated when the settings are saved. */
export const smsContentTypes = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'] as const

/** The content type of a request to the gateway. */
export type SmsContentType = (typeof smsContentTypes)[number]

/** The settings of short messages, which one HTTP gateway delivers as SMS or chat messages. */
export interface SmsSettings {
  readonly enabled: boolean
  readonly url: string
  readonly method: SmsMethod
  readonly contentType: SmsContentType
  /** The sender that the template of the body can insert: a number or a name that is registered with the gateway. */
  readonly sender: string
  /** The user name for HTTP Basic authentication; `''` for requests without it. */
  readonly user: string
  /** The body of a request as a Liquid template; with GET, the query string. */
  readonly body: string
  /** Texts in a response that mean that the number cannot receive messages; whitespace is ignored. */
  readonly refusals: readonly string[]
  /** The kinds of notifications that are sent as short messages to customers who agreed to receive them. */
  readonly kinds: readonly NotificationKind[]
}

/**
 * The kinds of notifications that can be sent as short messages: all those to customers, except the one that asks to
 * confirm the e-mail address.
 */
export const smsKinds: readonly NotificationKind[] = Object.keys(notificationKinds)
  .filter(isNotificationKind)
  .filter((kind) => propertiesOf(kind).audience === 'customer' && kind !== 'verify_email')

/** The settings of a new site, which has no gateway. */
export const defaultSms: SmsSettings = {
  ...{ enabled: false, url: '', method: 'POST', contentType: 'application/json', sender: '', user: '', body: '' },
  refusals: [],
  kinds: ['confirmed', 'rescheduled', 'cancelled', 'reminder'],
}

/** The variables for the template of a request to the gateway, besides those for the template of the message. */
export interface SmsVariables {
  /** The recipient's number in E.164 form, such as `+4930901820`. */
  readonly to: string
  /** The recipient's number without its plus sign. */
  readonly to_digits: string
  readonly sender: string
  readonly text: string
  readonly kind: string
  readonly locale: string
  /** Identifies the message, with the same value at every attempt to send it. */
  readonly id: string
}

/** The outcome of one request to the gateway. */
export type SmsOutcome =
  | { readonly state: 'sent' }
  | {
      readonly state: 'bounced' | 'failed'
      /** The explanation of the failure that the log of messages shows. */
      readonly why: string
      /**
       * The explanation without the text of the response, because that text may contain the recipient's number and the
       * message. The job stores `cause` as its last error.
       */
      readonly cause: string
      readonly temporary: boolean
      /** Seconds that the gateway asked to wait before the next attempt; null when it did not. */
      readonly retryAfter: number | null
    }

/** The response of the gateway. */
export interface SmsResponse {
  readonly status: number
  readonly body: string
  readonly retryAfter: number | null
}

const shownBody = 300
// The 4xx statuses after which an attempt is repeated, since the gateway may accept the message later, such as after an
// overload or once an administrator has corrected the settings.
const temporaryStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 409, 425, 429])

/**
 * Returns the outcome of a response: `bounced` if it contains one of `refusals`, `sent` for other 2xx, else `failed`.
 */
export function outcomeOfResponse(
  { status, body, retryAfter }: SmsResponse,
  { refusals }: Pick<SmsSettings, 'refusals'>,
): SmsOutcome {
  const plain = withoutSpace(body)
  const refused = refusals.map(withoutSpace).some((text) => text !== '' && plain.includes(text))
  if (!refused && status >= 200 && status < 300) return { state: 'sent' }
  const cause = `HTTP ${status}`
  const shown = body.replace(/\p{Cc}+/gu, ' ').trim()
  const why = shown === '' ? cause : `${cause}: ${shown.slice(0, shownBody)}`
  if (refused) return { state: 'bounced', why, cause, temporary: false, retryAfter: null }
  const temporary = status >= 500 || (status >= 300 && status < 400) || temporaryStatuses.has(status)
  return { state: 'failed', why, cause, temporary, retryAfter }
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '')
}

/** Returns the outcome of a request without a response: a temporary failure. */
export function outcomeOfFault(reason: string, why: string): SmsOutcome {
  return { state: 'failed', why, cause: reason, temporary: true, retryAfter: null }
}

/** Whether the settings are complete enough to send requests to the gateway. */
export function isSmsConfigured({ url, body }: SmsSettings): boolean {
  return url !== '' && body !== ''
}

/** Whether a kind of notification is sent as a short message. */
export function isSmsWanted({ enabled, kinds }: SmsSettings, kind: NotificationKind): boolean {
  return enabled && kinds.includes(kind)
}
