import { hash } from 'node:crypto'
import { findSession } from '../../access/sessions/sessions.sql.ts'
import { isActiveAdministrator } from '../../access/users/user.ts'
import { findUser, findUserByEmail, listUserRecords, voidLinks } from '../../access/users/users.sql.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import type { LoggedEvent } from '../../history/event.ts'
import { enqueue } from '../../jobs/queue.ts'
import { refusal } from '../../messages/refusal.ts'
import { decimalText } from '../../money.ts'
import { loadSettings } from '../notifications.sql.ts'
import type { NotificationSettings } from '../settings.ts'
import type { AccountMailKind } from './account-kinds.ts'

/** The kind of the jobs of messages to users of the panel. */
export const accountJobKind = 'account-mail'

/** The payload of a job that sends a message to a user. */
export interface AccountJob {
  readonly kind: AccountMailKind
  readonly userId: string
  /** What the message is about, such as the URL of a webhook; the value of the placeholder `detail`. */
  readonly detail?: string
}

/**
 * Queues a message with a password link to a user that an administrator invites, and invalidates the earlier links of
 * the user; refuses while mail is switched off, and for a disabled user, who gets no messages.
 */
export const mailInvitation: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  const { settings } = await loadSettings(tx.db)
  if (!settings.enabled) throw refusal('mail_not_configured')
  await tx.lock(['users', `user:${id}`])
  if ((await findUser(tx.db, id))?.user.status === 'disabled') throw refusal('user_disabled')
  // The message may be sent much later, or never, while the panel says at once that the link it shows no longer works.
  await voidLinks(tx.db, id, tx.now)
  await enqueueAccountMail(tx, [{ kind: 'invitation', userId: id }])
  return {}
}

/**
 * Queues a message with a password link to the active user who has the given e-mail address. Does nothing while mail is
 * switched off, or when there is no such user: a refusal would reveal which addresses have an account.
 */
export const mailPasswordReset: Operation<{ readonly email: string }, Record<never, never>> = async (tx, { email }) => {
  const { settings } = await loadSettings(tx.db)
  const known = settings.enabled ? await findUserByEmail(tx.db, email) : undefined
  if (known?.user.status !== 'active') return {}
  const userId = known.user.id
  tx.record({ kind: 'reset_requested', userId })
  await enqueueAccountMail(tx, [{ kind: 'password_reset', userId }])
  return {}
}

/**
 * Queues the messages that events cause, except those of kinds in `disabled`: to each user whose password or second
 * factors changed or who signed in with a new browser, and to every active administrator about a webhook that fails or
 * that the service disabled, an overdue backup, a disputed payment, the outcome of the dispute, and differences between
 * the ledger and the payment processor.
 */
export async function consumeAccountEvents(
  tx: Tx,
  events: readonly LoggedEvent[],
  { disabled }: Pick<NotificationSettings, 'disabled'>,
): Promise<void> {
  const jobs: AccountJob[] = []
  for (const event of events) jobs.push(...(await accountJobsOf(tx, event)))
  await enqueueAccountMail(
    tx,
    jobs.filter(({ kind }) => !disabled.some((one) => one === kind)),
  )
}

async function accountJobsOf(tx: Tx, { type, objectId: userId, object }: LoggedEvent): Promise<readonly AccountJob[]> {
  const url = String(object?.url ?? '')
  if (type === 'webhook.disabled' && object?.disabledBecause !== 'user')
    return toAdministrators(tx, 'webhook_disabled', url)
  if (type === 'webhook.failing') return toAdministrators(tx, 'webhook_failing', url)
  if (type === 'site.backup_overdue') return toAdministrators(tx, 'backup_overdue', dateOf(object?.lastAt))
  if (type === 'payment_settings.differences_found')
    return toAdministrators(tx, 'payments_differ', String(object?.count ?? 0))
  if (type === 'payment.disputed') return toAdministrators(tx, 'payment_disputed', amountOf(object))
  if (type === 'payment.dispute_won' || type === 'payment.dispute_lost')
    return toAdministrators(tx, 'dispute_decided', amountOf(object))
  if (type === 'user.password_set') return [{ kind: 'password_changed', userId }]
  if (type === 'user.second_factor_changed') return [{ kind: 'second_factor_changed', userId }]
  if (type !== 'user.signed_in' || object?.newBrowser !== true) return []
  const session = await findSession(tx.db, String(object.session))
  return session ? [{ kind: 'new_sign_in', userId, detail: `${session.device}, ${session.address}` }] : []
}

/** Returns the amount of a payment, such as `45.00 EUR`, which reads the same in every language. */
function amountOf(payment: LoggedEvent['object']): string {
  const money = { amount: Number(payment?.amount), currency: String(payment?.currency) }
  return `${decimalText(money)} ${money.currency}`
}

/**
 * Returns the UTC date of an instant as `YYYY-MM-DD`, which reads the same in every language; a dash when there is no
 * instant.
 */
function dateOf(instant: unknown): string {
  return typeof instant === 'number' ? new Date(instant * 1000).toISOString().slice(0, 10) : '–'
}

async function toAdministrators(tx: Tx, kind: AccountMailKind, detail: string): Promise<readonly AccountJob[]> {
  const users = await listUserRecords(tx.db)
  return users.flatMap(({ user }) => (isActiveAdministrator(user) ? [{ kind, userId: user.id, detail }] : []))
}

// The key allows one unsent message per user, kind and detail, so that repeated requests do not send several. It has
// only a hash of the detail: managers see the keys of jobs, and the detail may contain the address of a user's client.
async function enqueueAccountMail(tx: Tx, jobs: readonly AccountJob[]): Promise<void> {
  await enqueue(
    tx,
    jobs.map((payload) => ({
      kind: accountJobKind,
      key: `${payload.userId} ${payload.kind} ${hash('sha256', payload.detail ?? '', 'base64url')}`,
      payload,
    })),
  )
}
