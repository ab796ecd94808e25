import { tokenState } from '../../access/tokens/token.ts'
import { listTokens } from '../../access/tokens/tokens.sql.ts'
import { listAvailability } from '../../availability/availability.operations.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { handles } from '../../catalogue/providers/provider.ts'
import { loadSite } from '../../catalogue/site/site.sql.ts'
import { countDoubleBookings, findDisagreements } from '../../db/consistency.ts'
import { findOldestUnsettled } from '../../db/log/event-log.ts'
import { backedUpBy, loadBackupRecord } from '../../maintenance/backups/backup.sql.ts'
import { isBackupOverdue } from '../../maintenance/backups/backup.ts'
import { type Message, message } from '../../messages/message.ts'
import { listDisplaced } from '../../reservations/zone-changes/zone-changes.operations.ts'
import type { CommandApp } from '../framework/command.ts'
import { type Check, fail, ok, warn } from './check.ts'

const day = 86_400
const slotDays = 14
const tokenDays = 14
const maxNamed = 5
const maxLag = 60

/** Checks that the site's URL is set, and reports the site's name and time zone. */
export async function siteChecks({ db }: CommandApp): Promise<Check[]> {
  const { site } = await loadSite(db)
  return [
    ok('check_site', message('site_described', { name: site.name, zone: site.timezone })),
    site.siteUrl === ''
      ? warn('check_site_address', message('site_address_missing'))
      : ok('check_site_address', message('site_address_set', { url: site.siteUrl })),
  ]
}

/** Checks that at least one API token is active, and that no active token expires within 14 days. */
export async function tokenChecks(app: CommandApp): Promise<Check[]> {
  const now = app.now()
  const active = (await listTokens(app.db)).filter((token) => tokenState(token, now) === 'active')
  if (active.length === 0) return [warn('check_tokens', message('tokens_none'))]
  const ending = active.filter(({ expiresAt }) => expiresAt !== null && expiresAt < now + tokenDays * day)
  if (ending.length === 0) return [ok('check_tokens', message('tokens_in_use', { count: active.length }))]
  const tokens = listed(
    ending.map(({ name, expiresAt }) => message('token_until', { name, date: date(expiresAt ?? 0) })),
  )
  return [warn('check_tokens', message('tokens_ending', { tokens }))]
}

/** Checks that the last backup is not overdue. */
export async function backupChecks({ db, now }: CommandApp): Promise<Check[]> {
  const record = await loadBackupRecord(db)
  const by = backedUpBy(db)
  const { lastAt, overdueDays: days } = record
  if (days !== null && isBackupOverdue(record, by, now())) {
    const late =
      lastAt === null
        ? message('backup_missing', { count: days })
        : message('backup_overdue', { date: date(lastAt), count: days })
    return [warn('check_backup', late)]
  }
  if (lastAt !== null) return [ok('check_backup', message('backup_last', { date: date(lastAt) }))]
  if (by === 'tools') return [ok('check_backup', message('backup_unrecorded'))]
  return days === null ? [] : [ok('check_backup', message('backup_not_yet', { count: days }))]
}

/** Checks that every active service has slots that can be booked in the next 14 days. */
export async function slotChecks(app: CommandApp): Promise<Check[]> {
  const { services, providers } = await loadCatalogue(app.db)
  const active = services.filter(({ settings }) => settings.active)
  if (active.length === 0) return [warn('check_services', message('services_none'))]
  if (providers.length === 0) return [warn('check_providers', message('providers_none'))]
  const now = app.now()
  const slots = await listAvailability(app.db, { from: now, until: now + slotDays * day, now })
  const free = new Set(slots.flatMap(({ serviceId, bookable }) => (bookable ? [serviceId] : [])))
  const without = active.filter(({ id }) => !free.has(id))
  const orphans = without.filter(({ id }) => !providers.some((provider) => handles(provider, id)))
  const counts = { services: active.length, providers: providers.length, slots: slots.length, days: slotDays }
  return [
    ok('check_providers', message('providers_count', { count: providers.length })),
    ...(orphans.length > 0
      ? [warn('check_services', message('services_orphaned', { services: listed(orphans.map(({ name }) => name)) }))]
      : []),
    without.length > 0
      ? warn(
          'check_slots',
          message('slots_missing', { days: slotDays, services: listed(without.map(({ name }) => name)) }),
        )
      : ok('check_slots', message('slots_count', counts)),
  ]
}

/**
 * Checks that the event feed lags by at most 60 seconds; the lag is the age of the oldest event that the feed cannot
 * return yet.
 */
export async function feedChecks(app: CommandApp): Promise<Check[]> {
  const oldest = await findOldestUnsettled(app.db)
  const lag = oldest === undefined ? 0 : Math.max(0, app.now() - oldest)
  return [
    lag > maxLag
      ? warn('check_feed', message('feed_stuck', { seconds: lag }))
      : ok('check_feed', message('feed_lag', { seconds: lag })),
  ]
}

/** Checks that the stored intervals in which providers are occupied agree with the reservations. */
export async function seatChecks(app: CommandApp): Promise<Check[]> {
  const faults = await findDisagreements(app.db, app.now())
  if (faults.length === 0) {
    const count = await countDoubleBookings(app.db, app.now())
    return [ok('check_seats', count === 0 ? message('seats_agree') : message('seats_agree_doubled', { count }))]
  }
  return faults.map((fault) => fail('check_seats', message('seats_disagree', { fault })))
}

/** Checks that upcoming reservations are still at the wall time for which they were booked. */
export async function zoneChecks(app: CommandApp): Promise<Check[]> {
  const { displaced } = await listDisplaced(app.db, app.now())
  if (displaced.length === 0) return [ok('check_wall_times', message('wall_times_kept'))]
  const changed = displaced.map(({ id, localStart, zone, shown }) =>
    message('wall_time_changed', { id, start: localStart, zone, shown }),
  )
  return [
    warn('check_wall_times', message('wall_times_changed', { count: displaced.length, reservations: listed(changed) })),
  ]
}

function listed(names: readonly (string | Message)[]): Message {
  const items = names.slice(0, maxNamed)
  const count = names.length - items.length
  return count > 0 ? message('list_and_more', { items, count }) : message('list', { items })
}

function date(instant: number): string {
  return new Date(instant * 1000).toISOString().slice(0, 10)
}
