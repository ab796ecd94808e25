import type { Message, MessageCode } from '../../messages/message.ts'

/** One check of the installation: its result and, unless it passed, the remedy. */
export interface Check {
  readonly check: Message
  readonly state: 'ok' | 'warn' | 'fail'
  readonly message: Message
}

type CheckCode = Extract<MessageCode, `check_${string}`>

/** The check passed. */
export function ok(check: CheckCode, message: Message): Check {
  return { check: { code: check }, state: 'ok', message }
}

/** The service runs, but needs attention. */
export function warn(check: CheckCode, message: Message): Check {
  return { check: { code: check }, state: 'warn', message }
}

/** The service is not reliable until this is fixed. */
export function fail(check: CheckCode, message: Message): Check {
  return { check: { code: check }, state: 'fail', message }
}
