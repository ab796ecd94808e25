import { findDecrypted } from '../../encryption.ts'
import { message } from '../../messages/message.ts'
import { keyReader, keyState } from '../../server/secret-key.ts'
import { listSecretRecords } from '../access/stored-secrets.ts'
import type { CommandApp } from '../framework/command.ts'
import { type Check, fail, ok, warn } from './check.ts'

const name = 'check_secret_key'

/**
 * Checks that the key that encrypts stored secrets exists, is readable by its owner alone, and decrypts every stored
 * secret.
 */
export async function keyChecks(app: CommandApp): Promise<Check[]> {
  const { dataDir, secretKey } = app
  const secrets = (await listSecretRecords(app)).flatMap((record) => record.secrets)
  const found =
    secretKey !== undefined
      ? ok(name, message('secret_key_given'))
      : dataDir === undefined
        ? withoutKey(secrets.length)
        : await keyFileCheck(dataDir, secrets.length)
  if (found.state === 'fail') return [found]
  const ring = await keyReader({ secretKey, dataDir })()
  if (!ring) return [found]
  const wrong = secrets.filter(({ sealed, place }) => findDecrypted(ring, sealed, place) === undefined)
  return [wrong.length > 0 ? fail(name, message('secret_key_wrong', { count: wrong.length })) : found]
}

/** Returns the check of a service on PostgreSQL without a key, which stores `count` secrets. */
function withoutKey(count: number): Check {
  return count > 0
    ? fail(name, message('secret_key_missing_sealed', { count }))
    : warn(name, message('secret_key_missing_everywhere'))
}

async function keyFileCheck(dataDir: string, count: number): Promise<Check> {
  const { path, state } = await keyState(dataDir)
  if (state === 'missing' && count === 0) return ok(name, message('secret_key_none_yet'))
  const loss = message('secret_key_lost', { count })
  if (state === 'missing') return fail(name, message('secret_key_file_missing', { path, loss }))
  if (state === 'broken') return fail(name, message('secret_key_file_broken', { path, loss }))
  return state === 'open'
    ? warn(name, message('secret_key_open', { path }))
    : ok(name, message('secret_key_private', { path }))
}
