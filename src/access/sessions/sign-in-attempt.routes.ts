import type { PerformCall } from '../../http/call.ts'
import type { ClientRequest } from '../../http/principal.ts'
import { Refusal } from '../../messages/refusal.ts'
import type { Operations } from '../../operations.ts'
import type { SecurityKind } from '../security-log/security-event.ts'
import { findAccount, hashDeviceSecret, isDeviceOf } from '../security-log/security-log.operations.ts'
import type { PanelContext } from './panel-session.routes.ts'
import type { AccountName, SignInCounters } from './sign-in-counters.routes.ts'

/** A client that tries to authenticate, the Unix time, and the function that runs operations for that client. */
interface Trying {
  readonly client: ClientRequest
  readonly now: number
  readonly perform: PerformCall<Operations>
}

/** One attempt to authenticate, counted before any credential is verified. */
export interface SignInAttempt {
  /** After a success, removes the attempt from the address's counter and resets the account's counter. */
  succeeded(): void
  /**
   * Records in the security history that the password was correct and the second factor is missing, and removes the
   * attempt from the address's counter.
   */
  passwordAlone(): Promise<unknown>
  /** Records an entry of kind `kind` in the security history, then throws `refusal`. */
  fail(kind: SecurityKind, refusal: Refusal): Promise<never>
  /**
   * Awaits `work` and returns its result. A refusal is recorded in the security history, as an entry of kind `kind`,
   * before it is thrown.
   */
  through<T>(kind: SecurityKind, work: Promise<T>): Promise<T>
}

/**
 * Counts an attempt at an account. Throws a 429 refusal beyond its limit; awaits `locked` before it throws the first
 * one in a quarter of an hour.
 */
export async function countAttempt(
  attempts: SignInCounters,
  { name, now }: { readonly name: AccountName; readonly now: number },
  locked: () => Promise<unknown>,
): Promise<void> {
  let locks = false
  try {
    attempts.atAccount(name, now, () => {
      locks = true
    })
  } finally {
    if (locks) await locked()
  }
}

/**
 * Counts an attempt to authenticate, for the client's IP address and, if `email` is given, for the account with that
 * e-mail address. Throws a 429 refusal beyond either limit, and `Unavailable` while the queue of password hashes is
 * full; the first 429 refusal of an account in a quarter of an hour is recorded in the security history.
 */
export async function beginSignInAttempt(
  { app, attempts }: Pick<PanelContext, 'app' | 'attempts'>,
  { client, now, perform }: Trying,
  email?: string,
): Promise<SignInAttempt> {
  const { address, deviceSecret } = client
  attempts.fromAddress(address, now)
  // The security history receives only the id of an existing account. The text that was entered as the e-mail address
  // is not recorded, since it may be a password.
  const userId = email === undefined ? null : ((await findAccount(app.db, email)) ?? null)
  const report = (kind: SecurityKind) => perform('security.report', { kind, userId })
  const known = email !== undefined && deviceSecret !== undefined
  const deviceHash =
    known && (await isDeviceOf(app.db, deviceSecret, { email, now })) ? hashDeviceSecret(deviceSecret) : undefined
  const name = email === undefined ? undefined : { email, deviceHash }
  if (name) await countAttempt(attempts, { name, now }, () => report('locked'))
  return {
    succeeded: () => attempts.succeeded(address, name),
    passwordAlone: () => {
      attempts.passwordAlone(address)
      return report('second_factor_missing')
    },
    fail: async (kind, refusal) => {
      await report(kind)
      throw refusal
    },
    through: (kind, work) =>
      work.then(undefined, async (error: unknown) => {
        if (error instanceof Refusal) await report(kind)
        throw error
      }),
  }
}
