import { dataSettings } from '../../config.ts'
import { decrypt, encrypt, isCurrent, type KeyRing } from '../../encryption.ts'
import { addKey, dropOldKey, keyFinder } from '../../server/secret-key.ts'
import { type CommandApp, type DataCommand, done, type Ending, refused } from '../framework/command.ts'
import { listSecretRecords } from './stored-secrets.ts'

/**
 * Re-encrypts all stored secrets, such as those of authenticator apps, webhooks and connected calendars. On SQLite
 * without `DAYBOOK_SECRET_KEY`, the command generates the new key; otherwise, it uses the first of the two keys in
 * `DAYBOOK_SECRET_KEY`. An interrupted rotation is resumed when the command is run again.
 */
export const keyRotate: DataCommand = {
  on: 'data',
  options: {},
  settings: [...dataSettings, 'secretKey'],
  positionals: [],
  async run(app) {
    if (app.secretKey === undefined && app.dataDir !== undefined) return rotateFile(app, app.dataDir)
    const ring = await keyFinder(app)()
    if (!ring) return refused('There is no key: set DAYBOOK_SECRET_KEY, the same for every node.')
    if (ring.length === 1) {
      return refused('Set DAYBOOK_SECRET_KEY to NEW,OLD on every node first; the operations guide has the steps.')
    }
    const count = await encryptAgain(app, ring)
    return done(`Encrypted ${secretsText(count)} with the first key. Now leave the second one out on every node.\n`)
  },
}

// The data directories whose key is being replaced. The process that has a data directory open runs all of its
// commands.
const rotating = new Set<string>()

/**
 * Replaces the key file by one with a new key. Refuses while another rotation runs: each would add a key of its own,
 * and the file would lose that of the other.
 */
async function rotateFile(app: CommandApp, dataDir: string): Promise<Ending> {
  if (rotating.has(dataDir)) return refused('Another key rotation is running. Try again when it has finished.')
  rotating.add(dataDir)
  try {
    const ring = await addKey(dataDir)
    const count = await encryptAgain(app, ring)
    await dropOldKey(dataDir, ring)
    return done(`Encrypted ${secretsText(count)} with a new key. Copy secret.key with the next backup.\n`)
  } finally {
    rotating.delete(dataDir)
  }
}

/**
 * Re-encrypts secrets until all are encrypted with the first key of the key ring, including secrets that are stored
 * meanwhile. Returns the number of re-encrypted records; all secrets of one webhook endpoint are one record.
 */
async function encryptAgain(app: CommandApp, ring: KeyRing): Promise<number> {
  const records = await listSecretRecords(app)
  const old = records.filter(({ secrets }) => secrets.some(({ sealed, place }) => !isCurrent(ring, sealed, place)))
  for (const { replace } of old) await replace((sealed, place) => encrypt(ring, decrypt(ring, sealed, place), place))
  return old.length === 0 ? 0 : old.length + (await encryptAgain(app, ring))
}

function secretsText(count: number): string {
  return count === 1 ? '1 secret' : `${count} secrets`
}
