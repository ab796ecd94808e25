import { requireProvider, requireService } from '../catalogue/catalogue.operations.ts'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import { handles } from '../catalogue/providers/provider.ts'
import type { ReadDatabase } from '../db/database.ts'
import { type ExplainedStart, explainGrid } from '../scheduling/explain.ts'
import { openDayAt, openWindows } from '../scheduling/opening-hours.ts'
import { parseDate } from '../scheduling/time/date.ts'
import type { Interval } from '../scheduling/time/interval.ts'
import { dayOf, localDay } from '../scheduling/time/zone.ts'
import { loadPlan } from './plan.sql.ts'
import { bucketSeconds } from './slot-id.ts'

export interface DayQuery {
  readonly serviceId: string
  readonly providerId: number
  /** The local date (`YYYY-MM-DD`) to explain, in the provider's time zone; today when undefined. */
  readonly date: string | undefined
  readonly now: number
  /** The only provider that the caller may see; undefined when the caller may see every provider. */
  readonly ofProvider: number | undefined
}

/**
 * The result of `explainDay`: the starts of a local day, each with the verdict of every booking rule (whether the rule
 * allows it, and why not), and the opening hours of the provider.
 */
export interface ExplainedDay {
  readonly date: string
  readonly zone: string
  readonly hours: { readonly setting: string; readonly windows: readonly Interval[] }
  readonly starts: readonly ExplainedStart[]
}

/**
 * Returns, for each start of a local day, whether each booking rule allows a booking at it, and why not. Throws a
 * refusal for an unknown service or provider, and for a provider that the caller may not see.
 */
export function explainDay(db: ReadDatabase, asked: DayQuery): Promise<ExplainedDay> {
  return db.snapshot(async (at) => {
    const { now, ofProvider = asked.providerId } = asked
    const catalogue = await loadCatalogue(at)
    const service = requireService(catalogue, asked.serviceId)
    // A provider that the caller may not see is refused like an unknown one: it is replaced with id 0, which no
    // provider has.
    const provider = requireProvider(catalogue, asked.providerId === ofProvider ? asked.providerId : 0)
    const zone = provider.timezone
    const today = localDay(zone, now)
    const { date = today.date } = asked
    const day = dayOf(zone, parseDate(date) ?? 0)
    const plan = await loadPlan(at, {
      catalogue,
      services: [service],
      from: day.start,
      until: day.end,
      now,
      bucket: Math.floor(now / bucketSeconds),
      ...(service.settings.routingMode === 'direct' && { providerIds: new Set([provider.id]) }),
      named: provider.id,
    })
    const { setting } = openDayAt(provider, plan.holidays, day.start)
    const windows = openWindows(provider, plan.holidays, day.start, day.end).map(({ start, end }) => ({ start, end }))
    return { date, zone, hours: { setting, windows }, starts: explainGrid(plan, { service, provider }, day, now) }
  })
}

/**
 * Returns the services and providers that a user may choose from to see an explanation. A user who is limited to one
 * provider gets only that provider, but all services.
 */
export async function listChoices(db: ReadDatabase, ofProvider: number | undefined) {
  const catalogue = await loadCatalogue(db)
  const providers = catalogue.providers.filter(({ id }) => ofProvider === undefined || id === ofProvider)
  return {
    services: catalogue.services.map(({ id, name, settings: { active } }) => ({ id, name, active })),
    providers: providers.map((provider) => ({
      id: provider.id,
      name: provider.name,
      serviceIds: catalogue.services.filter(({ id }) => handles(provider, id)).map(({ id }) => id),
    })),
  }
}
