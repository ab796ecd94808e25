import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import type { ReadDatabase } from '../db/database.ts'
import { explainSlot } from '../scheduling/explain.ts'
import type { Invalidation } from '../scheduling/invalidation.ts'
import { type SlotList, slotsOf } from '../scheduling/listing/slot-list.ts'
import type { Slot } from '../scheduling/plan/plan.ts'
import { openSlots } from '../scheduling/slots.ts'
import { CachedPages } from './cache/cached-pages.ts'
import { type AvailabilityQuery, queryWindow, resolveQuery } from './cache/question.ts'
import { type ListedSlots, listSlots } from './cache/slot-pages.ts'
import type { Explanation } from './explanation.ts'
import { loadPlan } from './plan.sql.ts'
import { bucketSeconds } from './slot-id.ts'
import { slotIdsOf, slotsAsJson } from './slot-json.ts'
import { resolvedEnd, slotPlan } from './slot-plan.operations.ts'

/** Lists slots; from pages that are kept ready, or each time anew. */
export interface Availability {
  /** The slots that can be booked, in the order of the contract: by start, then service, then provider. */
  list(asked: AvailabilityQuery): ListedSlots | Promise<ListedSlots>
  /** The same if it is ready, without waiting for anything. */
  find(asked: AvailabilityQuery): ListedSlots | undefined
  /** Hears what was committed; call it before anyone who waited for the commit is answered. */
  invalidate(invalidated: readonly Invalidation[]): void
}

/** Availability over a database of which every commit is heard, with so many bytes of pages kept. */
export function cachedAvailability(db: ReadDatabase, most: number): Availability {
  const pages = new CachedPages(db, most)
  const make = async (asked: AvailabilityQuery) => (await pages.make(asked)) ?? (await listAnew(db, asked))
  return {
    list: (asked) => pages.find(asked) ?? make(asked),
    find: (asked) => pages.find(asked),
    invalidate: (invalidated) => pages.invalidate(invalidated),
  }
}

/** Availability over a database that others change too: nothing is kept. */
export function uncachedAvailability(db: ReadDatabase): Availability {
  return { list: (asked) => listAnew(db, asked), find: () => undefined, invalidate: () => {} }
}

async function listAnew(db: ReadDatabase, asked: AvailabilityQuery): Promise<ListedSlots> {
  const { slots, secret } = await findSlots(db, asked)
  const texts = slotsAsJson([slots], { secret, now: asked.now })
  return listSlots(
    texts.map((text) => ({ text, number: 0 })),
    asked,
  )
}

/** A slot with the id under which it can be booked for the next minutes. */
export interface IdentifiedSlot extends Slot {
  readonly availabilityId: string
}

/** The slots that can be booked, as of one moment, computed from what is stored. */
export async function listAvailability(db: ReadDatabase, asked: AvailabilityQuery): Promise<IdentifiedSlot[]> {
  const { slots, secret } = await findSlots(db, asked)
  const made = slotsOf(slots)
  const ids = slotIdsOf(made, { secret, now: asked.now })
  return made.map((slot, index) => ({ availabilityId: ids[index] ?? '', ...slot }))
}

/** The slots that can be booked, as of one moment, without their ids. */
export function findSlots(db: ReadDatabase, asked: AvailabilityQuery): Promise<{ slots: SlotList; secret: string }> {
  return db.snapshot(async (at) => {
    const catalogue = await loadCatalogue(at)
    const question = resolveQuery(catalogue, asked)
    const { services, providerIds } = question
    const { start: from, end: until } = queryWindow(question, asked)
    if (from >= until || services.length === 0) return { slots: noSlots, secret: catalogue.secret }
    const { now } = asked
    const bucket = Math.floor(now / bucketSeconds)
    const named = providerIds && { providerIds }
    const plan = await loadPlan(at, { catalogue, services, from, until, now, bucket, ...named })
    return { slots: openSlots(plan, { from, until, now, ...named }), secret: catalogue.secret }
  })
}

const noSlots: SlotList = {
  starts: [],
  slotAt: () => {
    throw new RangeError('There is no slot.')
  },
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
