import type { Operation } from '../../db/perform/app.ts'
import { enqueue } from '../../jobs/queue.ts'
import { refusal } from '../../messages/refusal.ts'
import { jobKinds } from '../notifications.operations.ts'
import { loadSettings, saveSettings } from '../notifications.sql.ts'
import { isSmsConfigured, type SmsSettings } from './sms.ts'

/** A change of the gateway's settings; an absent member is unchanged. */
export interface EditSms {
  readonly sms: Partial<SmsSettings>
  /**
   * The new ciphertext of password and headers, and the stored one from which the caller made it; null if there was
   * none.
   */
  readonly secrets?: { readonly from: string | null; readonly to: string }
}

/**
 * Changes the gateway's settings. While notifications and short messages are on, every change also plans the reminders
 * and follow-ups of upcoming reservations. Changes nothing, and returns `stored: false`, when the stored ciphertext is
 * no longer `secrets.from`, since the secrets that another request stored would be lost.
 */
export const editSms: Operation<EditSms, { readonly stored: boolean }> = async (tx, input) => {
  await tx.lock(['notification-settings'])
  const before = await loadSettings(tx.db)
  if (input.secrets && input.secrets.from !== before.sealedGateway) return { stored: false }
  const sms = { ...before.settings.sms, ...input.sms }
  const sealedGateway = input.secrets?.to ?? before.sealedGateway
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
  return { stored: true }
}

/** Queues a short test message; returns the id of its entry in the log of messages. */
export const sendTestSms: Operation<{ readonly to: string }, { readonly id: string }> = async (tx, { to }) => {
  const { settings } = await loadSettings(tx.db)
  if (!isSmsConfigured(settings.sms)) throw refusal('sms_not_configured')
  const id = tx.newId('notification')
  await enqueue(tx, [{ kind: jobKinds.testSms, key: id, payload: { id, to } }])
  return { id }
}
