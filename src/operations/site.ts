import { randomBytes } from 'node:crypto'
import type { Operation } from '../app.ts'
import { defaultPolicies } from '../domain/site.ts'
import { findSite, insertSite } from '../storage/site.ts'

/** What the installation says of the site before anyone has set it up. */
export interface PrepareSite {
  readonly siteUrl: string
}

/** Makes sure that the site has its row; a site that has one is left as it is. */
export const prepareSite: Operation<PrepareSite, { readonly created: boolean }> = async (tx, { siteUrl }) => {
  await tx.lock(['catalogue!'])
  if (await findSite(tx.db)) return { created: false }
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
