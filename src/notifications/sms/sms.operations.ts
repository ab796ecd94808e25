import type { Operation } from '../../db/perform/app.ts'
import { enqueue } from '../../jobs/queue.ts'
import { refusal } from '../../messages/refusal.ts'
import { jobKinds } from '../notifications.operations.ts'
import { loadSettings, saveSettings } from '../notifications.sql.ts'
import { isSmsConfigured, type SmsSettings } from './sms.ts'

/**
 * A change of the gateway's settings; an absent member is unchanged. A `sealedGateway` of null removes password and
 * headers.
 */
export interface EditSms {
  readonly sms: Partial<SmsSettings>
  readonly sealedGateway?: string | null
}

/**
 * Changes the gateway's settings. While notifications and short messages are on, every change also plans the reminders
 * and follow-ups of upcoming reservations.
 */
export const editSms: Operation<EditSms, Record<never, never>> = async (tx, input) => {
  await tx.lock(['notification-settings'])
  const before = await loadSettings(tx.db)
  const sms = { ...before.settings.sms, ...input.sms }
  const sealedGateway = input.sealedGateway === undefined ? before.sealedGateway : input.sealedGateway
  if (sms.enabled && !isSmsConfigured(sms)) throw refusal('sms_not_configured')
  const settings = { ...before.settings, sms }
  await saveSettings(tx.db, { ...before, settings, sealedGateway }, tx.now)
  if (settings.enabled && sms.enabled) await enqueue(tx, [{ kind: jobKinds.plan, key: 'site', payload: { after: '' } }])
  await tx.append({
    type: 'notification_settings.updated',
    objectId: 'site',
    object: { ...settings },
    previous: { ...before.settings },
  })
  return {}
}

/** Queues a short test message; returns the id of its entry in the log of messages. */
export const sendTestSms: Operation<{ readonly to: string }, { readonly id: string }> = async (tx, { to }) => {
  const { settings } = await loadSettings(tx.db)
  if (!isSmsConfigured(settings.sms)) throw refusal('sms_not_configured')
  const id = tx.newId('notification')
  await enqueue(tx, [{ kind: jobKinds.testSms, key: id, payload: { id, to } }])
  return { id }
}
