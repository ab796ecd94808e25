import { countTotps } from '../../access/second-factors/second-factors.sql.ts'
import { message } from '../../messages/message.ts'
import { keyState } from '../../server/secret-key.ts'
import type { CommandApp } from '../framework/command.ts'
import { type Check, fail, ok, warn } from './check.ts'

const name = 'check_secret_key'

/** Checks that the key that encrypts stored secrets exists and is readable by its owner alone. */
export async function keyChecks({ db, dataDir, secretKey }: CommandApp): Promise<Check[]> {
  if (secretKey !== undefined) return [ok(name, message('secret_key_given'))]
  const sealed = await countTotps(db)
  if (dataDir === undefined) {
    return [
      sealed > 0
        ? fail(name, message('secret_key_missing_sealed', { count: sealed }))
        : warn(name, message('secret_key_missing_everywhere')),
    ]
  }
  const { path, state } = await keyState(dataDir)
  if (state === 'missing' && sealed === 0) return [ok(name, message('secret_key_none_yet'))]
  if (state === 'missing' || state === 'broken') {
    const loss = message('secret_key_lost', { count: sealed })
    return [
      fail(
        name,
        state === 'missing'
          ? message('secret_key_file_missing', { path, loss })
          : message('secret_key_file_broken', { path, loss }),
      ),
    ]
  }
  return [
    state === 'open'
      ? warn(name, message('secret_key_open', { path }))
      : ok(name, message('secret_key_private', { path })),
  ]
}
