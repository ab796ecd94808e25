import { openSlots, type Question, type Slot, slotsOf, type Verdict, type Wanted } from '../domain/availability.ts'
import { explainSlot } from '../domain/explain.ts'
import { handles } from '../domain/provider.ts'
import { resolveRule, type Service } from '../domain/service.ts'
import { type Catalogue, loadCatalogue } from '../storage/catalogue.ts'
import type { ReadDatabase } from '../storage/database.ts'
import { loadPlan } from '../storage/plan.ts'
import { resolvedEnd, slotPlan } from './booking.ts'
import { bucketSeconds, slotIds } from './slot-id.ts'

export interface AvailabilityQuestion {
  /** Slots whose start lies in [from, until), Unix seconds. */
  readonly from: number
  readonly until: number
  readonly now: number
  /** Absent means all; an empty list means none. */
  readonly serviceIds?: readonly string[]
  readonly providerIds?: readonly number[]
}

/** A slot with the id under which it can be booked for the next minutes. */
export interface IdentifiedSlot extends Slot {
  readonly availabilityId: string
}

/** The slots that can be booked, in the order of the contract: by start, then service, then provider. */
export function listAvailability(db: ReadDatabase, asked: AvailabilityQuestion): Promise<IdentifiedSlot[]> {
  return db.snapshot(async (at) => {
    const catalogue = await loadCatalogue(at)
    const services = asked.serviceIds
      ? catalogue.services.filter((service) => asked.serviceIds?.includes(service.id))
      : catalogue.services
    const question = cut(catalogue, services, asked)
    if (question.from >= question.until || services.length === 0) return []
    const plan = await loadPlan(at, {
      catalogue,
      services,
      from: question.from,
      until: question.until,
      now: asked.now,
      bucket: Math.floor(asked.now / bucketSeconds),
      ...(question.providerIds && { providerIds: question.providerIds }),
    })
    return identified(catalogue.secret, slotsOf(openSlots(plan, question)), asked.now)
  })
}

/** What explain answers: the slot that was asked about, each rule's verdict in order, and whether all of them say yes. */
export interface Explanation extends Wanted {
  readonly bookable: boolean
  readonly rules: readonly Verdict[]
}

/** Why a service can or cannot be booked with a provider at a start; or which of the two is unknown. */
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
    const rules = explainSlot(await slotPlan(at, parties, { wanted, now }), wanted, now)
    return { ...wanted, bookable: rules.every((verdict) => verdict.ok), rules }
  })
}

// No slot starts before now or after the widest horizon: a huge window costs no more than that.
function cut(catalogue: Catalogue, services: readonly Service[], asked: AvailabilityQuestion): Question {
  const horizon = Math.max(0, ...services.map((service) => widestHorizon(catalogue, service)))
  return {
    from: Math.max(asked.from, asked.now),
    until: Math.min(asked.until, asked.now + horizon + 1),
    now: asked.now,
    ...(asked.providerIds && { providerIds: new Set(asked.providerIds) }),
  }
}

function widestHorizon(catalogue: Catalogue, service: Service): number {
  const own = catalogue.providers
    .filter((provider) => handles(provider, service.id))
    .map((provider) => resolveRule(service, provider.id, provider.services.get(service.id)).horizon)
  return Math.max(service.settings.horizonDays * 86_400, ...own)
}

function identified(secret: string, slots: readonly Slot[], now: number): IdentifiedSlot[] {
  const ids = new Map<Slot, string>()
  for (const [serviceId, own] of Map.groupBy(slots, (slot) => slot.serviceId)) {
    const made = slotIds(secret, serviceId, now, own)
    for (const [index, slot] of own.entries()) ids.set(slot, made[index] ?? '')
  }
  return slots.map((slot) => ({ availabilityId: ids.get(slot) ?? '', ...slot }))
}
