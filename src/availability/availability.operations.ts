import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Service } from '../catalogue/services/service.ts'
import type { ReadDatabase } from '../db/database.ts'
import { explainSlot } from '../scheduling/explain.ts'
import { type SlotList, slotsOf } from '../scheduling/listing/slot-list.ts'
import { slotSourcesOf } from '../scheduling/listing/slot-source.ts'
import type { Slot } from '../scheduling/plan/plan.ts'
import { openSlots } from '../scheduling/slots.ts'
import { type AvailabilityQuery, askedServices } from './cache/question.ts'
import type { Explanation } from './explanation.ts'
import { loadPlan } from './plan.sql.ts'
import { bucketSeconds } from './slot-id.ts'
import { slotIdsOf } from './slot-json.ts'
import { resolvedEnd, wholePlan } from './slot-plan.operations.ts'

/** A slot with the id by which a client books it; the id expires 15 to 30 minutes after the query. */
export interface IdentifiedSlot extends Slot {
  readonly availabilityId: string
}

/** A query that is answered without the cache, which holds only what is the same for every visitor. */
interface UncachedQuery extends AvailabilityQuery {
  /** The id of the reservation that is being moved, whose own time counts as free; absent if there is none. */
  readonly except?: string | undefined
}

/**
 * Lists the slots of a query from one snapshot of the database, without the cache. Full slots are included only if the
 * site's setting `listFullSlots` is on.
 */
export async function listAvailability(db: ReadDatabase, asked: UncachedQuery): Promise<IdentifiedSlot[]> {
  const { slots, secret } = await findSlots(db, asked)
  const made = slotsOf(slots)
  const ids = slotIdsOf(made, { secret, now: asked.now })
  return made.map((slot, index) => ({ availabilityId: ids[index] ?? '', ...slot }))
}

/** The result of `findSlots`. */
interface FoundSlots {
  readonly slots: SlotList
  /** The secret from which slot ids are computed. */
  readonly secret: string
  /** Whether the services of the query may have slots that start after its window. */
  readonly continues: boolean
}

/** Lists the slots of a query from one snapshot of the database, without the cache, and returns them without ids. */
export function findSlots(db: ReadDatabase, asked: UncachedQuery): Promise<FoundSlots> {
  return db.snapshot(async (at) => {
    const catalogue = await loadCatalogue(at)
    const services = askedServices(catalogue, asked)
    const { now, except } = asked
    // No slot of a service starts later than the service's booking horizon after `now`. The window therefore ends with
    // the longest booking horizon of the services at the latest.
    const [from, until] = [
      Math.max(asked.from, now),
      Math.min(asked.until, now + widestHorizon(catalogue, services) + 1),
    ]
    const { secret } = catalogue
    const continues = until === asked.until
    if (from >= until || services.length === 0) return { slots: noSlots, secret, continues }
    const bucket = Math.floor(now / bucketSeconds)
    const named = asked.providerIds && { providerIds: new Set(asked.providerIds) }
    const plan = await loadPlan(at, { catalogue, services, from, until, now, bucket, except, ...named })
    return { slots: openSlots(plan, { from, until, now, ...named }), secret, continues }
  })
}

function widestHorizon({ providers }: Catalogue, services: readonly Service[]): number {
  return Math.max(
    0,
    ...services.flatMap((service) => slotSourcesOf({ providers }, service).map(({ rule }) => rule.horizon)),
  )
}

const noSlots: SlotList = {
  starts: [],
  slotAt: () => {
    throw new RangeError('There is no slot.')
  },
}

/**
 * Returns, for one start of a service with a provider, whether it can be booked and the verdict of every booking rule
 * (whether the rule allows it, and why not). For an unknown service or provider, returns the name of the wrong field.
 */
export async function explainAvailability(
  db: ReadDatabase,
  asked: { readonly serviceId: string; readonly providerId: number; readonly start: number; readonly now: number },
): Promise<Explanation | { readonly unknown: 'serviceId' | 'providerId' }> {
  return db.snapshot(async (at) => {
    const catalogue = await loadCatalogue(at)
    const service = catalogue.service(asked.serviceId)
    if (!service) return { unknown: 'serviceId' }
    const provider = catalogue.provider(asked.providerId)
    if (!provider) return { unknown: 'providerId' }
    const parties = { catalogue, service, provider }
    const { start, now } = asked
    const wanted = { serviceId: service.id, providerId: provider.id, start, end: resolvedEnd(parties, start) }
    const rules = explainSlot(await wholePlan(at, parties, { wanted, now }), wanted, now)
    return { ...wanted, bookable: rules.every((verdict) => verdict.ok), rules }
  })
}
