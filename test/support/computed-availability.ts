import type { ListedSlots } from '../../src/availability/cache/listed-slots.ts'
import { type AvailabilityQuery, askedServices } from '../../src/availability/cache/question.ts'
import type { StreamedSlots } from '../../src/availability/cache/streamed-slots.ts'
import { loadPlan } from '../../src/availability/plan.sql.ts'
import { bucketSeconds, slotId } from '../../src/availability/slot-id.ts'
import { loadCatalogue } from '../../src/catalogue/catalogue.sql.ts'
import type { ReadDatabase } from '../../src/db/database.ts'
import { slotsOf } from '../../src/scheduling/listing/slot-list.ts'
import { openSlots } from '../../src/scheduling/slots.ts'

/** Returns the JSON of an answer of the availability cache, in one piece or streamed. */
export async function textOf(answer: ListedSlots | StreamedSlots): Promise<string> {
  if ('pieces' in answer) return `[${Buffer.concat(answer.pieces).toString()}]`
  return `[${Buffer.concat(await Array.fromAsync(answer.items))
    .toString()
    .slice(1)}]`
}

/** Returns the response to a query computed from the database without the availability cache. */
export async function computedAnew(
  db: ReadDatabase,
  query: AvailabilityQuery,
): Promise<{ text: string; total: number }> {
  const catalogue = await loadCatalogue(db)
  const services = askedServices(catalogue, query)
  const { now } = query
  const [from, until] = [Math.max(query.from, now), query.until]
  if (from >= until || services.length === 0) return { text: '[]', total: 0 }
  const named = query.providerIds && { providerIds: new Set(query.providerIds) }
  const bucket = Math.floor(now / bucketSeconds)
  const plan = await loadPlan(db, { catalogue, services, from, until, now, bucket, ...named })
  const slots = slotsOf(openSlots(plan, { from, until, now, ...named }))
  const part = query.part ? slots.slice(query.part.offset, query.part.offset + query.part.limit) : slots
  const shown = part.map((slot) => ({ availabilityId: slotId(catalogue.secret, slot, now), ...slot }))
  return { text: JSON.stringify(shown), total: slots.length }
}
