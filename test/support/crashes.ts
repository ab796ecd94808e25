import assert from 'node:assert/strict'
import { type Arena, assertSound, day, type Slot } from './arena.ts'
import { replayed, storedReservations } from './history.ts'
import { offerings } from './offers.ts'
import { median, scale } from './scale.ts'
import { Witness } from './witness.ts'

/** The results of a service that crashed repeatedly under load. */
export interface Survived {
  readonly crashes: number
  /** Writes that were answered 200. */
  readonly answered: number
  /** Writes whose response was lost in a crash. */
  readonly unanswered: number
  /** Unanswered writes that had been committed nevertheless. */
  readonly decided: number
  /** For each restart, the milliseconds until the service was ready. */
  readonly readyAfter: readonly number[]
}

/** The options of `surviveCrashes`. */
export interface Crashes {
  readonly count: number
  readonly random: () => number
  /** An action between the process's end and its next start. */
  readonly meanwhile?: () => Promise<void>
}

/**
 * Lets clients (`Witness`) write without pause and kills the service `count` times. Fails unless, after every restart,
 * all acknowledged writes exist, no write is incomplete, and each unacknowledged write happened at most once.
 */
export async function surviveCrashes(arena: Arena, { count, random, meanwhile }: Crashes): Promise<Survived> {
  const killer = new Killer(random)
  const witnesses = witnessesOf(arena, random, killer)
  const readyAfter: number[] = []
  const settled: string[] = []
  const tomorrow = nextDay()
  for (let crash = 0; crash < count; crash++) {
    await crashOnce(arena, witnesses, killer, tomorrow + crash * day)
    await meanwhile?.()
    readyAfter.push(await timed(() => arena.service.restart()))
    await assertSound(arena)
    const stored = await storedReservations(arena.sql)
    for (const witness of witnesses) witness.assertKept(stored)
    settled.push(...(await Promise.all(witnesses.map((witness) => witness.settle()))))
    await assertSound(arena)
  }
  const stored = await storedReservations(arena.sql)
  for (const witness of witnesses) witness.assertKept(stored)
  const { faults, last } = await replayed(arena.sql, arena.rooms)
  assert.deepEqual(faults, [])
  assert.deepEqual(last, stored)
  const unanswered = settled.filter((one) => one !== 'nothing in doubt').length
  assert.ok(unanswered > 0, 'no answer was lost: nothing was tried')
  return {
    crashes: count,
    answered: witnesses.reduce((sum, witness) => sum + witness.done, 0),
    unanswered,
    decided: settled.filter((one) => one === 'had happened').length,
    readyAfter,
  }
}

/** Crashes the service once under load and restarts it; returns how many reservations differ from their responses. */
export async function lostInCrash(arena: Arena, { random, meanwhile }: Omit<Crashes, 'count'>): Promise<number> {
  const killer = new Killer(random)
  const witnesses = witnessesOf(arena, random, killer)
  await crashOnce(arena, witnesses, killer, nextDay())
  await meanwhile?.()
  await arena.service.restart()
  await assertSound(arena)
  const stored = await storedReservations(arena.sql)
  return witnesses.flatMap((witness) => witness.forgotten(stored)).length
}

const readyWithin = 2_000

/**
 * Fails if a restart took too long compared with a start after a graceful stop on the same machine. In a full run every
 * restart counts; beside other tests, most of them.
 */
export async function assertReadySoon({ service }: Arena, { readyAfter }: Survived): Promise<void> {
  await service.stop()
  const quiet = await timed(() => service.restart())
  const [took, bound] =
    scale > 1 ? [Math.max(...readyAfter), readyWithin] : [median(readyAfter), Math.max(readyWithin, 3 * quiet)]
  assert.ok(took < bound, `ready after ${readyAfter.join(', ')} ms; after a quiet end ${quiet} ms`)
}

function witnessesOf(arena: Arena, random: () => number, killer: Killer): Witness[] {
  return arena.clients.numbers.map(
    (number) => new Witness({ arena, number, random, notify: (what) => killer.hear(what) }),
  )
}

async function crashOnce(arena: Arena, witnesses: readonly Witness[], killer: Killer, from: number): Promise<void> {
  const slots = await slotsOf(arena, from)
  // The service alone has its files open when it is killed.
  arena.sql.rest()
  const working = Promise.all(witnesses.map((witness) => workUntilKilled(witness, slots)))
  await killer.moment()
  await arena.service.kill()
  await working
}

async function slotsOf(arena: Arena, from: number): Promise<Slot[]> {
  const window = { from, until: from + day }
  return (await Promise.all(offerings.map(({ key }) => arena.slots(key, window)))).flat()
}

async function workUntilKilled(witness: Witness, slots: readonly Slot[]): Promise<void> {
  while (!witness.inDoubt) await witness.act(slots)
}

/**
 * Chooses the moment of the kill at random: after a number of responses or requests, and of turns of the event loop.
 */
class Killer {
  readonly #random: () => number
  #left = 0
  #listensTo: 'sent' | 'answered' = 'sent'
  #strike = () => {}

  constructor(random: () => number) {
    this.#random = random
  }

  async moment(): Promise<void> {
    this.#listensTo = this.#random() < 0.5 ? 'sent' : 'answered'
    this.#left = 5 + Math.floor(this.#random() * 100)
    await new Promise<void>((resolve) => {
      this.#strike = resolve
    })
    for (let turns = Math.floor(this.#random() * 100); turns > 0; turns--) await new Promise(setImmediate)
  }

  hear(what: 'sent' | 'answered'): void {
    if (what === this.#listensTo && --this.#left === 0) this.#strike()
  }
}

function nextDay(): number {
  return (Math.floor(Date.now() / 1000 / day) + 1) * day
}

async function timed(work: () => Promise<void>): Promise<number> {
  const since = performance.now()
  await work()
  return Math.round(performance.now() - since)
}
