import { workerContext } from '../../db/perform/worker-context.ts'
import type { Daybook } from '../../operations.ts'
import type { Funnel } from './funnel.ts'

const maxStored = 500
const byWorker = workerContext('funnel')

/**
 * Stores the steps of bookings that were counted since the last call. Throws when counts cannot be stored; the next
 * call then stores these counts together with the newer ones.
 */
export async function storeFunnel(app: Pick<Daybook, 'perform' | 'now'>, funnel: Funnel): Promise<void> {
  const taken = funnel.take()
  for (let at = 0; at < taken.length; at += maxStored) {
    const counts = taken.slice(at, at + maxStored)
    const outcome = await app.perform('booking-page.count', { counts }, { ...byWorker, now: app.now() })
    if (!('fault' in outcome)) continue
    funnel.restore(taken.slice(at))
    throw new Error(outcome.message)
  }
}
