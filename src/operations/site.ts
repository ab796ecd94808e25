import { randomBytes } from 'node:crypto'
import type { Operation } from '../app.ts'
import { defaultPolicies } from '../domain/site.ts'
import { isFeedBehind } from '../storage/events.ts'
import { findSite, insertSite, raiseTxBase } from '../storage/site.ts'

/** What the installation says of the site before anyone has set it up. */
export interface PrepareSite {
  readonly siteUrl: string
}

/** Makes sure that the site has its row and that its feed goes on behind what it has said already. */
export const prepareSite: Operation<PrepareSite, { readonly created: boolean }> = async (tx, { siteUrl }) => {
  await tx.lock(['catalogue!'])
  if (await findSite(tx.db)) {
    // Larger than any number that a copy of this database can have reached: no server does a million writes a second.
    if (await isFeedBehind(tx.db)) await raiseTxBase(tx.db, tx.newOrdinal())
    return { created: false }
  }
  const site = {
    name: 'Daybook',
    timezone: 'UTC',
    siteUrl,
    language: 'en',
    currency: 'EUR',
    holidays: [],
    policies: defaultPolicies,
  }
  const secret = randomBytes(32).toString('hex')
  await insertSite(tx.db, { site, secret, version: tx.newId('event') }, tx.now)
  return { created: true }
}
