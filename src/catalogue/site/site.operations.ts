import { randomBytes } from 'node:crypto'
import { sameJson } from '../../data.ts'
import type { Database } from '../../db/database.ts'
import { isFeedBehind, raiseTxBase } from '../../db/log/event-log.ts'
import type { Operation } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { wrongFields } from '../../messages/refusal.ts'
import { defaultWeekly } from '../providers/provider.ts'
import { type Appearance, contrastFault, defaultAppearance } from './appearance.ts'
import {
  bumpCatalogue,
  findSite,
  insertSite,
  loadSite,
  replaceLinkSecret,
  rotateSecret,
  updateSite,
} from './site.sql.ts'
import { defaultPolicies, type Policies, type Site, unnamed } from './site.ts'

/** The input of `prepareSite`: the initial settings of a new site, from the configuration. */
export interface PrepareSite {
  readonly siteUrl: string
}

/** Inserts the site's row if it does not exist. Otherwise makes sure that new events sort after all stored events. */
export const prepareSite: Operation<PrepareSite, { readonly created: boolean }> = async (tx, { siteUrl }) => {
  await tx.lock(['catalogue!'])
  if (await findSite(tx.db)) {
    // In a database that was copied from another server, the transaction counter may be lower than the transaction
    // numbers of the stored events. The current time in microseconds exceeds these numbers, as long as the site has had
    // fewer than a million writes a second.
    if (await isFeedBehind(tx.db)) await raiseTxBase(tx.db, tx.newOrdinal())
    return { created: false }
  }
  const site = {
    name: unnamed,
    timezone: 'UTC',
    siteUrl,
    language: 'en',
    currency: 'EUR',
    holidays: [],
    policies: defaultPolicies,
    defaultWeekly,
    appearance: defaultAppearance,
  }
  await insertSite(tx.db, { site, secret: newSecret(), linkSecret: newSecret(), version: tx.newId('event') }, tx.now)
  return { created: true }
}

/** Returns the settings of the site. */
export async function showSite(db: Database): Promise<Site> {
  return (await loadSite(db)).site
}

/**
 * The input of `editSite`: the settings to change. Absent settings and policies are left unchanged; `holidays` replaces
 * the whole list.
 */
export type EditSite = Partial<Omit<Site, 'policies' | 'appearance'>> & {
  readonly policies?: Partial<Policies>
  readonly appearance?: Partial<Appearance>
}

/** Changes settings of the site; equal settings change nothing. */
export const editSite: Operation<EditSite, Record<never, never>> = async (tx, { policies, appearance, ...change }) => {
  await tx.lock(['catalogue!'])
  refuseOddHolidays(change.holidays ?? [])
  const { site: before } = await loadSite(tx.db)
  const colorFault = contrastFault(appearance?.color)
  if (colorFault) throw wrongFields({ 'appearance.color': colorFault })
  const site = {
    ...before,
    ...change,
    policies: { ...before.policies, ...policies },
    appearance: { ...before.appearance, ...appearance },
  }
  if (sameJson(before, site)) return {}
  await updateSite(tx.db, site)
  await bumpCatalogue(tx)
  await tx.append({ type: 'site.updated', objectId: 'site', object: { ...site }, previous: { ...before } })
  return {}
}

/** The input of `rotateSiteSecret`. */
export interface RotateSecret {
  /** Whether the secret of customers' links is replaced instead, so that every link sent so far becomes void. */
  readonly links: boolean
}

/**
 * Rotates the site's secret, which signs forms, and from which the key of slot ids is derived. Slot ids of the previous
 * secret remain valid for at most 30 minutes, and forms for at most 24 hours. This holds in every process, since the
 * secrets belong to the catalogue, of which every process reads the current version. With `links`, replaces the secret
 * of customers' links, and no other: a second rotation of the site's secret would drop the one before the first.
 */
export const rotateSiteSecret: Operation<RotateSecret, Record<never, never>> = async (tx, { links }) => {
  await tx.lock(['catalogue!'])
  if (links) await replaceLinkSecret(tx.db, newSecret())
  else await rotateSecret(tx.db, newSecret(), tx.now)
  await bumpCatalogue(tx)
  await tx.append({ type: 'site.secret_rotated', objectId: 'site', object: null, previous: null })
  return {}
}

function newSecret(): string {
  return randomBytes(32).toString('hex')
}

function refuseOddHolidays(holidays: Site['holidays']): void {
  const details = holidays.flatMap(({ from, to }, at) =>
    to < from ? [[`holidays[${at}].to`, message('must_not_precede_first_day')] as const] : [],
  )
  if (details.length > 0) throw wrongFields(Object.fromEntries(details))
}
