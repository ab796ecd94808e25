import { countTotps } from '../../access/second-factors/second-factors.sql.ts'
import { keyState } from '../../server/secret-key.ts'
import type { CommandApp } from '../framework/command.ts'
import { type Check, fail, ok, warn } from './check.ts'

const name = 'secret key'

/** Checks that the encryption key of second factors exists and is readable by its owner alone. */
export async function keyChecks({ db, dataDir, secretKey }: CommandApp): Promise<Check[]> {
  if (secretKey !== undefined) return [ok(name, 'Given by DAYBOOK_SECRET_KEY.')]
  const sealed = await countTotps(db)
  if (dataDir === undefined) {
    return [
      sealed > 0
        ? fail(
            name,
            `None: set DAYBOOK_SECRET_KEY, the same for every node; ${sealed} authenticator apps cannot be opened without it.`,
          )
        : warn(name, 'None: set DAYBOOK_SECRET_KEY, the same for every node; authenticator apps need it.'),
    ]
  }
  const { path, state } = await keyState(dataDir)
  if (state === 'missing' && sealed === 0) return [ok(name, 'None yet; it is made for the first authenticator app.')]
  if (state === 'missing' || state === 'broken') {
    const loss = `${sealed} authenticator apps cannot be opened without it. Put it back from your copy, or lift them with "daybook user link --lift-second-factor".`
    return [fail(name, state === 'missing' ? `${path} is missing; ${loss}` : `${path} holds no key; ${loss}`)]
  }
  return [
    state === 'open'
      ? warn(name, `Other users can read ${path}; run chmod 600 on it.`)
      : ok(name, `${path} is its owner's alone; keep a copy of it with the backups.`),
  ]
}
