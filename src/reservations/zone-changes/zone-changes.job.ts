import { workerContext } from '../../db/perform/worker-context.ts'
import { sentence } from '../../messages/sentence.ts'
import type { Daybook } from '../../operations.ts'
import { type Displaced, listDisplaced } from './zone-changes.operations.ts'
import { zoneWorker } from './zone-changes.ts'

const atOnce = 100

/**
 * Finds upcoming reservations whose instant no longer has the booked wall time, because the rules of a time zone
 * changed. Applies the site's policy to those not handled yet, and returns the number of those that are still not at
 * their booked wall time (docs/decisions/0029). Rejects before the next write when `signal` is aborted.
 */
export async function settleZones(
  app: Pick<Daybook, 'perform' | 'now' | 'db' | 'log'>,
  signal: AbortSignal,
): Promise<number> {
  const { policy, displaced } = await listDisplaced(app.db, app.now())
  const fresh = displaced.filter((one) => one.fresh)
  if (fresh.length === 0) return displaced.length
  const left: string[] = []
  for (const ids of policy === 'keep_local_time' ? slots(fresh) : []) {
    signal.throwIfAborted()
    const outcome = await app.perform('zones.follow', { ids }, { ...byWorker, now: app.now() })
    if ('fault' in outcome) throw new Error(outcome.message)
    if ('refused' in outcome) left.push(...ids)
  }
  if (policy === 'report') left.push(...fresh.map(({ id }) => id))
  for (let at = 0; at < left.length; at += atOnce) {
    signal.throwIfAborted()
    const input = { ids: left.slice(at, at + atOnce) }
    const outcome = await app.perform('zones.report', input, { ...byWorker, now: app.now() })
    if (!('ok' in outcome)) throw new Error('fault' in outcome ? outcome.message : sentence(outcome.refused.message))
  }
  const moved = fresh.length - left.length
  if (moved > 0) app.log.warn({ count: moved }, 'reservations were moved, as the rules of their zone changed')
  if (left.length > 0)
    app.log.warn({ count: left.length }, 'reservations are displaced, as the rules of their zone changed: see doctor')
  return displaced.length - moved
}

const byWorker = workerContext(zoneWorker)

/**
 * Groups the ids of displaced reservations (which are no longer at their booked wall time) by slot, in an order that
 * avoids moving a slot to time that another slot has yet to leave: moves to an earlier instant by ascending start, then
 * moves to a later instant by descending start.
 */
function slots(displaced: readonly Displaced[]): string[][] {
  const earlier = displaced.filter(({ meant, start }) => meant < start)
  const later = displaced.filter(({ meant, start }) => meant > start).toReversed()
  const slotOf = (of: Displaced) => `${of.serviceId} ${of.providerId} ${of.start} ${of.end} ${of.meant}`
  return [...Map.groupBy([...earlier, ...later], slotOf).values()].map((slot) => slot.map(({ id }) => id))
}
