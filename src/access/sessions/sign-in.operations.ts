import type { Database } from '../../db/database.ts'
import type { KeySource } from '../../encryption.ts'
import { checkPassword } from '../passwords/password-hash.ts'
import { hashRecoveryCode } from '../second-factors/second-factors.operations.ts'
import { findTotp } from '../second-factors/second-factors.sql.ts'
import { stepOf, unsealTotp } from '../second-factors/totp.ts'
import { findUserByEmail, type UserRecord } from '../users/users.sql.ts'
import { loadFactors, needsSecondFactor, type Proof } from './sessions.operations.ts'

/** The credentials of a sign-in. */
export interface SignInInput {
  readonly email: string
  readonly password: string
  readonly code?: string
  readonly recoveryCode?: string
}

/** The methods by which a user can provide a second factor at sign-in. */
export type SignInMethod = 'totp' | 'passkey' | 'recovery'

/**
 * The result of verifying a sign-in: a proof for the operation `sessions.start` or `sessions.authenticate`; or, for a
 * correct password without the required second factor, the methods to provide it; or undefined for wrong credentials.
 */
export type SignInVerdict =
  | { readonly userId: string; readonly proof: Proof }
  | { readonly methods: readonly SignInMethod[] }
  | undefined

/**
 * Verifies the credentials of a sign-in. For an unknown e-mail address the result and the time taken are the same as
 * for a wrong password.
 */
export async function verifySignIn(
  db: Database,
  findKey: KeySource,
  entered: SignInInput,
  now: number,
): Promise<SignInVerdict> {
  const known = await findUserByEmail(db, entered.email)
  const right = await checkPassword(entered.password, known?.passwordHash)
  if (!right || known?.user.status !== 'active' || known.passwordHash === null) return undefined
  const { passwordHash } = known
  const userId = known.user.id
  if (entered.recoveryCode !== undefined) {
    return { userId, proof: { by: 'recovery', passwordHash, codeHash: hashRecoveryCode(entered.recoveryCode) } }
  }
  const factors = await loadFactors(db, userId)
  if (!needsSecondFactor(factors)) return { userId, proof: { by: 'password', passwordHash } }
  if (entered.code === undefined) {
    const methods: [SignInMethod, boolean][] = [
      ['totp', factors.totp],
      ['passkey', factors.passkeys > 0],
      ['recovery', factors.recoveryCodes > 0],
    ]
    return { methods: methods.flatMap(([method, there]) => (there ? [method] : [])) }
  }
  // A passkey may be the user's only second factor. Every authenticator code is then wrong, even a code of an
  // authenticator app that the user has not confirmed.
  if (!factors.totp) return undefined
  const step = await totpStepOfUser(db, findKey, known, { code: entered.code, now })
  return step === undefined ? undefined : { userId, proof: { by: 'totp', passwordHash, step } }
}

/**
 * Returns the time step (Unix time divided by 30 seconds) of a correct code of a user's authenticator app, confirmed or
 * not; undefined for a wrong code or a user without an authenticator app. Throws when the key that decrypts the app's
 * secret is missing.
 */
export async function totpStepOfUser(
  db: Database,
  findKey: KeySource,
  { user }: Pick<UserRecord, 'user'>,
  { code, now }: { readonly code: string; readonly now: number },
): Promise<number | undefined> {
  const totp = await findTotp(db, user.id)
  if (!totp) return undefined
  const key = await findKey()
  if (!key) throw new Error('The key that secrets are sealed under is missing; see "daybook doctor".')
  return stepOf(unsealTotp(key, user.id, totp.secret), code, now)
}
