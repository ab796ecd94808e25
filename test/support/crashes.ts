import assert from 'node:assert/strict'
import { CheckingClient } from './checking-client.ts'
import { assertConsistent, type ContendedSite, type ContendedSlot, day, firstBookableDay } from './contended-site.ts'
import { replayLog, storedReservations } from './log-replay.ts'
import { offerings } from './offerings.ts'
import { median, scale } from './scale.ts'

/** The results of a service that crashed repeatedly under load. */
export interface CrashResults {
  readonly crashes: number
  /** The number of writes that were answered 200. */
  readonly answered: number
  /** The number of writes that had no complete response because of a crash. */
  readonly unanswered: number
  /** The number of unanswered writes whose outcome (a success or a refusal) had been committed nevertheless. */
  readonly committed: number
  /** For each restart after a crash, the milliseconds until the service was ready. */
  readonly readyAfter: readonly number[]
  /**
   * For each restart after a graceful stop, the milliseconds until the service was ready. The service is stopped
   * gracefully after each of the first four crashes.
   */
  readonly readyAfterStop: readonly number[]
}

/** The options of `crashRepeatedly`. */
export interface CrashOptions {
  readonly count: number
  readonly random: () => number
  /** Called after the service's process was killed and before the service is started again. */
  readonly whileStopped?: () => Promise<void>
}

/**
 * Lets clients (`CheckingClient`) write without pause and kills the service `count` times. Fails unless, after the
 * restart that follows each crash, all acknowledged writes exist, no write is incomplete, and each unacknowledged write
 * happened at most once; fails also if no crash left a write unacknowledged.
 */
export async function crashRepeatedly(
  site: ContendedSite,
  { count, random, whileStopped }: CrashOptions,
): Promise<CrashResults> {
  const trigger = new KillTrigger(random)
  const checkingClients = checkingClientsOf(site, random, trigger)
  const readyAfter: number[] = []
  const readyAfterStop: number[] = []
  const settled: string[] = []
  const firstDay = firstBookableDay()
  for (let crash = 0; crash < count; crash++) {
    await crashOnce(site, checkingClients, trigger, firstDay + crash * day)
    await whileStopped?.()
    readyAfter.push(await timed(() => site.service.restart()))
    await assertConsistent(site)
    const stored = await storedReservations(site.sql)
    for (const client of checkingClients) client.assertDurable(stored)
    settled.push(...(await Promise.all(checkingClients.map((client) => client.retryIndeterminateWrite()))))
    await assertConsistent(site)
    if (crash >= gracefulStops) continue
    await site.service.stop()
    readyAfterStop.push(await timed(() => site.service.restart()))
  }
  const stored = await storedReservations(site.sql)
  for (const client of checkingClients) client.assertDurable(stored)
  const { violations, last } = await replayLog(site.sql, site.occupancyRules)
  assert.deepEqual(violations, [])
  assert.deepEqual(last, stored)
  const unanswered = settled.filter((one) => one !== 'none').length
  assert.ok(unanswered > 0, 'no answer was lost: nothing was tried')
  return {
    crashes: count,
    answered: checkingClients.reduce((sum, client) => sum + client.acceptedWrites, 0),
    unanswered,
    committed: settled.filter((one) => one === 'had taken effect').length,
    readyAfter,
    readyAfterStop,
  }
}

/**
 * Crashes the service once under load and restarts it; returns how many reservations differ from the responses that
 * clients received.
 */
export async function countLostInCrash(
  site: ContendedSite,
  { random, whileStopped }: Omit<CrashOptions, 'count'>,
): Promise<number> {
  const trigger = new KillTrigger(random)
  const checkingClients = checkingClientsOf(site, random, trigger)
  await crashOnce(site, checkingClients, trigger, firstBookableDay())
  await whileStopped?.()
  await site.service.restart()
  await assertConsistent(site)
  const stored = await storedReservations(site.sql)
  return checkingClients.flatMap((client) => client.lostReservations(stored)).length
}

const readyWithin = 2_000
const gracefulStops = 4

/**
 * Fails if the service was ready too late after crashes. When `scale` is above 1, as in a proof (`npm run prove`),
 * every restart after a crash must take less than 2 s. Otherwise, the median of these restarts must be below 2 s or
 * below three times the median of the restarts after a graceful stop.
 */
export function assertReadySoon({ readyAfter, readyAfterStop }: CrashResults): void {
  const [took, bound] =
    scale > 1
      ? [Math.max(...readyAfter), readyWithin]
      : [median(readyAfter), Math.max(readyWithin, 3 * median(readyAfterStop))]
  assert.ok(
    took < bound,
    `ready after ${readyAfter.join(', ')} ms; after a graceful stop ${readyAfterStop.join(', ')} ms`,
  )
}

function checkingClientsOf(site: ContendedSite, random: () => number, trigger: KillTrigger): CheckingClient[] {
  return site.clients.numbers.map(
    (number) => new CheckingClient({ site, number, random, notify: (what) => trigger.count(what) }),
  )
}

async function crashOnce(
  site: ContendedSite,
  checkingClients: readonly CheckingClient[],
  trigger: KillTrigger,
  from: number,
): Promise<void> {
  const slots = await slotsOf(site, from)
  // The test closes its own database connection, so that only the service has the SQLite files open when it is killed.
  site.sql.rest()
  const working = Promise.all(checkingClients.map((client) => workUntilKilled(client, slots)))
  await trigger.reached()
  await site.service.kill()
  await working
}

async function slotsOf(site: ContendedSite, from: number): Promise<ContendedSlot[]> {
  const window = { from, until: from + day }
  return (await Promise.all(offerings.map(({ key }) => site.slots(key, window)))).flat()
}

async function workUntilKilled(client: CheckingClient, slots: readonly ContendedSlot[]): Promise<void> {
  while (!client.hasIndeterminateWrite) await client.sendRandomWrite(slots)
}

/**
 * Chooses the moment to kill the service at random: counts either sent writes or received responses up to a number from
 * 5 to 104, and then waits for up to 99 turns of the event loop.
 */
class KillTrigger {
  readonly #random: () => number
  #left = 0
  #countedEvent: 'sent' | 'answered' = 'sent'
  #fire = () => {}

  constructor(random: () => number) {
    this.#random = random
  }

  async reached(): Promise<void> {
    this.#countedEvent = this.#random() < 0.5 ? 'sent' : 'answered'
    this.#left = 5 + Math.floor(this.#random() * 100)
    await new Promise<void>((resolve) => {
      this.#fire = resolve
    })
    for (let turns = Math.floor(this.#random() * 100); turns > 0; turns--) await new Promise(setImmediate)
  }

  count(what: 'sent' | 'answered'): void {
    if (what === this.#countedEvent && --this.#left === 0) this.#fire()
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const since = performance.now()
  await work()
  return Math.round(performance.now() - since)
}
