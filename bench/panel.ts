import { type BrowserClient, insertSignedInUser } from '../test/support/browser-client.ts'
import { openSql } from '../test/support/sql.ts'
import type { LoadTarget } from './load.ts'
import { type BenchSite, now as siteNow } from './site.ts'

/** Signs in to the panel of a running site as an administrator; `now` is the initial clock of the site. */
export async function signIn(
  { dataDir }: Pick<BenchSite, 'dataDir'>,
  { host, port }: LoadTarget,
  now = siteNow,
): Promise<BrowserClient> {
  const sql = openSql({ dataDir, databaseUrl: undefined })
  const session = { lastSeenAt: now, expiresAt: now + 40_000, authenticatedAt: now }
  const { browser } = await insertSignedInUser({ server: { url: `http://${host}:${port}` }, sql }, 'admin', session)
  await sql.close()
  return browser
}
