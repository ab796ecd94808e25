import { type Browser, inside } from '../test/support/panel-door.ts'
import { openSql } from '../test/support/sql.ts'
import type { Target } from './load.ts'
import { type Site, now as siteNow } from './site.ts'

/** Signs in to the panel of a running site as an administrator; `now` is the initial clock of the site. */
export async function signIn(
  { dataDir }: Pick<Site, 'dataDir'>,
  { host, port }: Target,
  now = siteNow,
): Promise<Browser> {
  const sql = openSql({ dataDir, databaseUrl: undefined })
  const session = { lastSeenAt: now, expiresAt: now + 40_000, authenticatedAt: now }
  const { browser } = await inside({ server: { url: `http://${host}:${port}` }, sql }, 'admin', session)
  await sql.close()
  return browser
}
