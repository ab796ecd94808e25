import { join } from 'node:path'

/** The file of the embedded database in a data directory. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'daybook.db')
}
