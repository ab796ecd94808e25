import type { Message, MessageCode } from '../../messages/message.ts'

/**
 * The result of one check of the installation: the name of the check, its state, and a message with the finding or, for
 * a warning or failure, the remedy.
 */
export interface Check {
  readonly check: Message
  readonly state: 'ok' | 'warn' | 'fail'
  readonly message: Message
}

type CheckCode = Extract<MessageCode, `check_${string}`>

/** Returns the result of a check that passed. */
export function ok(check: CheckCode, message: Message): Check {
  return { check: { code: check }, state: 'ok', message }
}

/** Returns the result of a check that found a problem that an administrator should fix, although the system works. */
export function warn(check: CheckCode, message: Message): Check {
  return { check: { code: check }, state: 'warn', message }
}

/** Returns the result of a check that found a fault; the system is not reliable until the fault is fixed. */
export function fail(check: CheckCode, message: Message): Check {
  return { check: { code: check }, state: 'fail', message }
}
