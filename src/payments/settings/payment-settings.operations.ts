import type { Operation } from '../../db/perform/app.ts'
import { findDecrypted, type KeySource } from '../../encryption.ts'
import { startConsumer, stopConsumer } from '../../jobs/event-relay.ts'
import { enqueue } from '../../jobs/queue.ts'
import { refusal } from '../../messages/refusal.ts'
import { paymentsConsumer } from '../checkout/checkout.operations.ts'
import { hasPayments } from '../payments.sql.ts'
import { hasIssuedVouchers } from '../vouchers/vouchers.sql.ts'
import {
  deleteProcessor,
  findProcessor,
  hasOpenPayments,
  type StoredProcessor,
  saveProcessor,
} from './payment-settings.sql.ts'

/** The `place` argument of `encrypt` for the keys of the processor. It binds the ciphertext to this purpose. */
export const processorPlace = 'payments:processor'

/** The keys of the processor, which are stored encrypted. */
export interface ProcessorKeys {
  readonly secretKey: string
  /**
   * The secrets that sign events: the current one, and the one before it if it was replaced; empty if none was entered.
   */
  readonly webhookSecrets: readonly string[]
}

/** The input of `connectProcessor`. The caller must encrypt the keys, so that no write contains them in plain text. */
export interface ConnectProcessor extends Pick<StoredProcessor, 'sealed' | 'live'> {
  /** The stored ciphertext from whose keys the caller made the new ones; null if no processor was connected. */
  readonly from: string | null
}

/**
 * Connects the payment processor, or replaces its keys. From then on, a payment is created for each booking that must
 * be paid online or needs a saved card. Refuses to replace live keys by test keys or the reverse while a payment or a
 * refund is under way, because the processor does not know it under the new keys. Changes nothing, and returns
 * `stored: false`, when the stored ciphertext is no longer `from`, since a key that another request stored would be
 * lost.
 */
export const connectProcessor: Operation<ConnectProcessor, { readonly stored: boolean }> = async (
  tx,
  { from, ...keys },
) => {
  await tx.lock(['payment-settings'])
  const before = await findProcessor(tx.db)
  if ((before?.sealed ?? null) !== from) return { stored: false }
  const changesMode = before !== undefined && before.live !== keys.live
  if (changesMode && (await hasOpenPayments(tx.db))) throw refusal('payments_open')
  const saved = { ...keys, account: '', fault: '', checkedAt: null, connectedAt: before?.connectedAt ?? tx.now }
  await saveProcessor(tx.db, saved)
  await startConsumer(tx, paymentsConsumer)
  await enqueue(tx, [{ kind: checkJob, key: 'site' }])
  await tx.append({
    type: 'payment_settings.updated',
    objectId: 'site',
    object: shown(saved),
    previous: before ? shown(before) : null,
  })
  return { stored: true }
}

/** The kind of the job that asks the processor whether it accepts the keys of the site. */
export const checkJob = 'payment-check'

/** Queues a job that asks the processor whether it accepts the site's keys; does nothing without a processor. */
export const testProcessor: Operation<Record<never, never>, Record<never, never>> = async (tx) => {
  if (await findProcessor(tx.db)) await enqueue(tx, [{ kind: checkJob, key: 'site' }])
  return {}
}

/** The input of `recordCheck`: whether the processor accepted the keys of the site. */
export interface RecordCheck {
  /** The encrypted keys that were checked. The result is ignored unless these are still the stored ones. */
  readonly sealed: string
  readonly account: string
  readonly fault: string
}

/** Stores whether the processor accepted the keys of the site. */
export const recordCheck: Operation<RecordCheck, Record<never, never>> = async (tx, { sealed, account, fault }) => {
  await tx.lock(['payment-settings'])
  const stored = await findProcessor(tx.db)
  if (stored?.sealed === sealed)
    await saveProcessor(tx.db, { ...stored, account: account || stored.account, fault, checkedAt: tx.now })
  return {}
}

/**
 * Disconnects the payment processor; refuses while a payment or a refund is under way. Refunds of later cancellations
 * and the removal of cards wait until a processor is connected again.
 */
export const disconnectProcessor: Operation<Record<never, never>, Record<never, never>> = async (tx) => {
  await tx.lock(['payment-settings'])
  const before = await findProcessor(tx.db)
  if (!before) return {}
  if (await hasOpenPayments(tx.db)) throw refusal('payments_open')
  await deleteProcessor(tx.db)
  const mustConsume = (await hasPayments(tx.db)) || (await hasIssuedVouchers(tx.db))
  if (!mustConsume) await stopConsumer(tx, paymentsConsumer)
  await tx.append({ type: 'payment_settings.updated', objectId: 'site', object: null, previous: shown(before) })
  return {}
}

/**
 * Replaces the ciphertext of the processor's keys by one made with another encryption key; does nothing when the keys
 * have changed since `from` was read.
 */
export const resealProcessor: Operation<{ readonly from: string; readonly to: string }, Record<never, never>> = async (
  tx,
  { from, to },
) => {
  await tx.lock(['payment-settings'])
  const stored = await findProcessor(tx.db)
  if (stored?.sealed === from) await saveProcessor(tx.db, { ...stored, sealed: to })
  return {}
}

/**
 * Decrypts the keys of the processor; undefined when the encryption key is missing or is not the one that encrypted
 * them.
 */
export async function openKeys(
  findKey: KeySource,
  { sealed }: Pick<StoredProcessor, 'sealed'>,
): Promise<ProcessorKeys | undefined> {
  const ring = await findKey()
  const text = ring && findDecrypted(ring, sealed, processorPlace)
  return text === undefined ? undefined : JSON.parse(text)
}

function shown({ live, connectedAt }: Pick<StoredProcessor, 'live' | 'connectedAt'>) {
  return { processor: 'stripe', live, connectedAt }
}
