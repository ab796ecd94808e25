import type { Database } from '../../db/database.ts'
import { prepared } from '../../db/query/prepared.ts'
import type { SiteTable } from '../../db/query/site-tables.ts'
import { defaultWeekly, type Weekly } from '../providers/provider.ts'
import { type Appearance, defaultAppearance } from './appearance.ts'
import type { Holiday, Policies, PreviousSecret, Site } from './site.ts'
import { defaultPolicies } from './site.ts'

/** The stored site: its settings, its secret, and the catalogue version. */
export interface SiteRecord {
  readonly site: Site
  /**
   * The site's secret: 32 random bytes as hexadecimal text; it is never sent to clients. The secret signs forms. Slot
   * ids are computed from the slot with a key derived from the secret, so that clients cannot create them.
   */
  readonly secret: string
  /**
   * The site's secret before the last rotation; null when there was no rotation. Slot ids computed with it are accepted
   * for 30 minutes, forms that it signed for a day.
   */
  readonly previousSecret: PreviousSecret | null
  /** The secret that signs the links which customers get by mail: 32 random bytes as hexadecimal text. */
  readonly linkSecret: string
  /** The catalogue version: a random value that is replaced when services, providers or settings change. */
  readonly version: string
}

const theSite = prepared<Record<never, never>, SiteTable>((db) => db.selectFrom('site').selectAll().where('id', '=', 1))

/** Returns the site's row; undefined in a new database, which no server has opened yet. */
export async function findSite(db: Database): Promise<SiteRecord | undefined> {
  const [row] = await db.run(theSite, {})
  if (!row) return undefined
  const { secret, link_secret: linkSecret, catalogue: version } = row
  return { site: toSite(row), secret, previousSecret: toPrevious(row), linkSecret, version }
}

/** Returns the site's row; throws in a database that no server has opened yet. */
export async function loadSite(db: Database): Promise<SiteRecord> {
  const found = await findSite(db)
  if (!found) throw new Error('the database has no site row; it is written when the database is opened')
  return found
}

const theVersion = prepared<Record<never, never>, Pick<SiteTable, 'catalogue'>>((db) =>
  db.selectFrom('site').select('catalogue').where('id', '=', 1),
)

/** Returns the catalogue version: while it is the same, so are services, providers and settings. */
export async function loadCatalogueVersion(db: Database): Promise<string> {
  const [row] = await db.run(theVersion, {})
  if (!row) throw new Error('the database has no site row; it is written when the database is opened')
  return row.catalogue
}

/** Inserts the site's row into a new database. */
export async function insertSite(db: Database, made: Omit<SiteRecord, 'previousSecret'>, now: number): Promise<void> {
  await db.build
    .insertInto('site')
    .values({
      id: 1,
      ...columns(made.site),
      secret: made.secret,
      previous_secret: null,
      secret_rotated_at: null,
      link_secret: made.linkSecret,
      catalogue: made.version,
      tx_base: 0,
      last_provider: 0,
      second_factor_policy: '{}',
      created_at: now,
    })
    .execute()
}

/**
 * Replaces the site's secret and stores the previous one. In the same transaction, the caller must call
 * `bumpCatalogue`, which changes the version of the catalogue.
 */
export async function rotateSecret(db: Database, secret: string, now: number): Promise<void> {
  await db.build
    .updateTable('site')
    .set((e) => ({ previous_secret: e.ref('secret'), secret, secret_rotated_at: now }))
    .where('id', '=', 1)
    .execute()
}

/**
 * Replaces the secret of customers' links. In the same transaction, the caller must call `bumpCatalogue`, which changes
 * the version of the catalogue.
 */
export async function replaceLinkSecret(db: Database, secret: string): Promise<void> {
  await db.build.updateTable('site').set({ link_secret: secret }).where('id', '=', 1).execute()
}

/**
 * Updates the site's settings. In the same transaction, the caller must call `bumpCatalogue`, which changes the version
 * of the catalogue.
 */
export async function updateSite(db: Database, site: Site): Promise<void> {
  await db.build.updateTable('site').set(columns(site)).where('id', '=', 1).execute()
}

/**
 * Assigns a new catalogue version. Every operation that changes services, their order, providers or settings must call
 * this function, after `tx.lock(['catalogue!'])`. The version is random, so that the version of a rolled back
 * transaction is never assigned again.
 */
export async function bumpCatalogue(tx: { readonly db: Database; newId(kind: 'event'): string }): Promise<void> {
  await tx.db.build
    .updateTable('site')
    .set({ catalogue: tx.newId('event') })
    .where('id', '=', 1)
    .execute()
}

function columns(site: Site) {
  return {
    name: site.name,
    timezone: site.timezone,
    site_url: site.siteUrl,
    language: site.language,
    currency: site.currency,
    holidays: JSON.stringify(site.holidays),
    // The column `policies` also contains the default opening hours and the appearance. If one of them is absent, its
    // built-in default applies.
    policies: JSON.stringify({
      ...site.policies,
      defaultWeekly: site.defaultWeekly,
      appearance: site.appearance,
    } satisfies KeptPolicies),
  }
}

function toPrevious({ previous_secret: secret, secret_rotated_at: rotatedAt }: SiteTable): PreviousSecret | null {
  return secret === null || rotatedAt === null ? null : { secret, rotatedAt }
}

type KeptPolicies = Partial<Policies> & { readonly defaultWeekly?: Weekly; readonly appearance?: Appearance }

function toSite(row: SiteTable): Site {
  const {
    defaultWeekly: weekly = defaultWeekly,
    appearance = defaultAppearance,
    ...policies
  } = JSON.parse(row.policies) as KeptPolicies
  return {
    name: row.name,
    timezone: row.timezone,
    siteUrl: row.site_url,
    language: row.language,
    currency: row.currency,
    holidays: JSON.parse(row.holidays) as Holiday[],
    policies: { ...defaultPolicies, ...policies },
    defaultWeekly: weekly,
    appearance,
  }
}
