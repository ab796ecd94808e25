import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyDatabase } from '../../src/db/copy/copy.ts'
import { databaseFile } from '../../src/db/data-dir.ts'
import { migrateSqlite } from '../../src/db/migrate.ts'
import { openToRead, openToWrite } from '../../src/db/sqlite/sqlite.ts'
import { ana, now, standardSite } from './clinic.ts'
import { commandInProcess, freshFolder } from './daybook.ts'

/** The environment of commands in tests of `daybook copy`. */
export const copyEnv: NodeJS.ProcessEnv = { ...process.env, DAYBOOK_NOW: String(now) }

/** A site with 705 customers, so that their table is copied in two parts, and three confirmed reservations. */
export const copiedSite = {
  ...standardSite,
  customers: [
    ...standardSite.customers,
    ...Array.from({ length: 700 }, (_, i) => ({ key: `many${i}`, name: `Ünï “${i}”\n`, email: `m${i}@example.org` })),
  ],
  reservations: ['09:00', '10:00', '11:00'].map((time) => ({
    ...{ key: time, customer: 'Mia', start: `2026-10-06T${time}`, service: 'plain', provider: ana },
    status: 'confirmed',
  })),
}

/** Returns the options of a command that name a database: the URL of PostgreSQL, or a data directory. */
export function placeOptions(place: string): readonly [string, string] {
  return [place.startsWith('postgres') ? '--database-url' : '--data-dir', place]
}

/** Applies `copiedSite` to the database at a place, which is created if it is missing. */
export async function makeCopiedSite(place: string): Promise<void> {
  const file = join(freshFolder(), 'site.json')
  writeFileSync(file, JSON.stringify(copiedSite))
  const { code, stderr } = await commandInProcess(['apply', file, ...placeOptions(place)], copyEnv)
  assert.equal(code, 0, stderr)
}

/** Creates a data directory with `copiedSite` and a file with the encryption key. */
export async function makeSource(): Promise<string> {
  const dataDir = freshFolder()
  await makeCopiedSite(dataDir)
  // Rotating the key creates the key file, as storing the first secret would.
  assert.equal((await commandInProcess(['key', 'rotate', '--data-dir', dataDir], copyEnv)).code, 0)
  return dataDir
}

/** Copies a data directory to another one until the first 500 customers are copied, and fails there. */
export async function interruptCopy(from: string, to: string): Promise<void> {
  const source = openToRead(databaseFile(from))
  const connection = openToWrite(databaseFile(to))
  const migrate = async () => {
    await migrateSqlite(connection, now)
  }
  const target = { db: connection, script: async (text: string) => connection.script(text), migrate }
  try {
    await migrate()
    const onProgress = (_step: string, table: string) => {
      if (table === 'customer') throw new Error('interrupted')
    }
    await assert.rejects(copyDatabase(source, target, { now, onProgress }), /interrupted/)
  } finally {
    source.close()
    connection.close()
  }
}
