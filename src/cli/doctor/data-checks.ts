import { tokenState } from '../../access/tokens/token.ts'
import { listTokens } from '../../access/tokens/tokens.sql.ts'
import { listAvailability } from '../../availability/availability.operations.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { handles } from '../../catalogue/providers/provider.ts'
import { loadSite } from '../../catalogue/site/site.sql.ts'
import { findDisagreements } from '../../db/consistency.ts'
import { findOldestUnsettled } from '../../db/log/event-log.ts'
import { listDisplaced } from '../../reservations/zone-changes/zone-changes.operations.ts'
import type { CommandApp } from '../framework/command.ts'
import { type Check, fail, ok, warn } from './check.ts'

const day = 86_400
const slotDays = 14
const tokenDays = 14
const maxNamed = 5
const maxLag = 60

/** Checks the site's settings. */
export async function siteChecks({ db }: CommandApp): Promise<Check[]> {
  const { site } = await loadSite(db)
  return [
    ok('site', `${site.name} (${site.timezone}).`),
    site.siteUrl === ''
      ? warn(
          'site address',
          'None is set; programs that verify their token are told none. Set it in the panel, or as site.siteUrl in a site file.',
        )
      : ok('site address', `${site.siteUrl}.`),
  ]
}

/** Checks that a usable token exists, and which tokens expire soon. */
export async function tokenChecks(app: CommandApp): Promise<Check[]> {
  const now = app.now()
  const active = (await listTokens(app.db)).filter((token) => tokenState(token, now) === 'active')
  if (active.length === 0) return [warn('tokens', 'None is in use; "daybook token create" makes one.')]
  const ending = active.filter(({ expiresAt }) => expiresAt !== null && expiresAt < now + tokenDays * day)
  if (ending.length === 0) return [ok('tokens', `${active.length} in use.`)]
  const names = listed(ending.map(({ name, expiresAt }) => `${name} on ${date(expiresAt ?? 0)}`))
  return [warn('tokens', `Soon to end: ${names}. Make new ones with "daybook token create".`)]
}

/** Checks that slots can be booked in the next days. */
export async function slotChecks(app: CommandApp): Promise<Check[]> {
  const { services, providers } = await loadCatalogue(app.db)
  const active = services.filter(({ settings }) => settings.active)
  if (active.length === 0) return [warn('services', 'There is none to book; apply a site file that has some.')]
  if (providers.length === 0) return [warn('providers', 'There is none; apply a site file that has some.')]
  const now = app.now()
  const slots = await listAvailability(app.db, { from: now, until: now + slotDays * day, now })
  const free = new Set(slots.flatMap(({ serviceId, bookable }) => (bookable ? [serviceId] : [])))
  const without = active.filter(({ id }) => !free.has(id))
  const orphans = without.filter(({ id }) => !providers.some((provider) => handles(provider, id)))
  const counts = `${active.length} services, ${providers.length} providers, ${slots.length} slots in ${slotDays} days`
  return [
    ok('providers', `${providers.length}.`),
    ...(orphans.length > 0
      ? [warn('services', `No provider handles ${listed(orphans.map(({ name }) => name))}; see allowedServices.`)]
      : []),
    without.length > 0
      ? warn(
          'slots',
          `None in ${slotDays} days for ${listed(without.map(({ name }) => name))}; "daybook explain" says why.`,
        )
      : ok('slots', `${counts}.`),
  ]
}

/** Checks that the event feed is up to date. */
export async function feedChecks(app: CommandApp): Promise<Check[]> {
  const oldest = await findOldestUnsettled(app.db)
  const lag = oldest === undefined ? 0 : Math.max(0, app.now() - oldest)
  return [
    lag > maxLag
      ? warn('feed', `${lag} s behind: a transaction of the database has been open for that long. End it.`)
      : ok('feed', `${lag} s behind.`),
  ]
}

/** Checks that occupancy and reservations agree. */
export async function seatChecks(app: CommandApp): Promise<Check[]> {
  const faults = await findDisagreements(app.db, app.now())
  if (faults.length === 0) return [ok('seats', 'They agree with the reservations.')]
  return faults.map((sentence) => fail('seats', `${sentence} Restore a backup, or ask for help with this line.`))
}

/** Checks that upcoming reservations are at the wall time they were booked for. */
export async function zoneChecks(app: CommandApp): Promise<Check[]> {
  const { displaced } = await listDisplaced(app.db, app.now())
  if (displaced.length === 0) return [ok('wall times', 'Every coming reservation is at the one it was booked for.')]
  const names = displaced.map(({ id, localStart, zone, shown }) => `${id} (${localStart} in ${zone}, now ${shown})`)
  const count = `${displaced.length} coming reservations are not at the time they were booked for`
  return [
    warn('wall times', `${count}, as rules of their zone changed: ${listed(names)}. Move them, or tell the customers.`),
  ]
}

function listed(names: readonly string[]): string {
  const first = names.slice(0, maxNamed).join(', ')
  return names.length > maxNamed ? `${first} and ${names.length - maxNamed} more` : first
}

function date(instant: number): string {
  return new Date(instant * 1000).toISOString().slice(0, 10)
}
