import type { Message, MessageCode } from '../../messages/message.ts'

/** One thing a healthy installation needs, how it stands here and, where it does not stand well, what to do. */
export interface Check {
  readonly check: Message
  readonly state: 'ok' | 'warn' | 'fail'
  readonly message: Message
}

type CheckCode = Extract<MessageCode, `check_${string}`>

/** As it should be. */
export function ok(check: CheckCode, message: Message): Check {
  return { check: { code: check }, state: 'ok', message }
}

/** The service runs, but not for ever, or not as wanted. */
export function warn(check: CheckCode, message: Message): Check {
  return { check: { code: check }, state: 'warn', message }
}

/** The service cannot be relied on until this is mended. */
export function fail(check: CheckCode, message: Message): Check {
  return { check: { code: check }, state: 'fail', message }
}
