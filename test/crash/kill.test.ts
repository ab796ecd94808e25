import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Arena, assertSound, day, openArena, type Slot } from '../support/arena.ts'
import { databasesHere } from '../support/databases.ts'
import { replayed, storedReservations } from '../support/history.ts'
import { offerings } from '../support/offers.ts'
import { chance, patience, scaled, seed } from '../support/scale.ts'
import { Witness } from '../support/witness.ts'

const kills = { sqlite: scaled(20), postgres: scaled(5) }
const readyWithin = 2_000

for (const { kind, skip } of await databasesHere()) {
  describe(`a service on ${kind} that is killed under load`, {
    skip,
    timeout: patience,
  }, () => {
    let arena: Arena
    let tomorrow = 0
    before(async () => {
      arena = await openArena(kind, { clients: 16, fixedClock: false, horizonDays: 3_660 })
      tomorrow = (Math.floor(Date.now() / 1000 / day) + 1) * day
    })
    after(() => arena.close())

    test(`loses nothing it has answered and leaves nothing by half, ${kills[kind]} times over`, async (t) => {
      const random = chance(seed)
      const killer = new Killer(random)
      const witnesses = arena.clients.numbers.map(
        (number) => new Witness({ arena, number, random, hear: (what) => killer.hear(what) }),
      )
      const readyAfter: number[] = []
      const settled: string[] = []
      for (let kill = 0; kill < kills[kind]; kill++) {
        const slots = await slotsOf(tomorrow + kill * day)
        const working = Promise.all(witnesses.map((witness) => workUntilKilled(witness, slots)))
        await killer.moment()
        await arena.service.kill()
        await working
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
      const happened = settled.filter((one) => one === 'had happened').length
      const lost = settled.filter((one) => one !== 'nothing in doubt').length
      assert.ok(lost > 0, 'no answer was lost: nothing was tried')
      // The median: the machine may be busy with other tests.
      assert.ok(median(readyAfter) < readyWithin, `ready after ${readyAfter.join(', ')} ms`)
      const done = witnesses.reduce((sum, witness) => sum + witness.done, 0)
      t.diagnostic(
        `${kills[kind]} kills, ${done} writes answered, ${lost} answers lost, ${happened} of them to writes already decided; ` +
          `ready again after ${median(readyAfter)} ms (median), ${Math.max(...readyAfter)} ms at most; seed ${seed}`,
      )
    })

    async function slotsOf(from: number): Promise<Slot[]> {
      const window = { from, until: from + day }
      return (await Promise.all(offerings.map(({ key }) => arena.slots(key, window)))).flat()
    }
  })
}

async function workUntilKilled(witness: Witness, slots: readonly Slot[]): Promise<void> {
  while (!witness.inDoubt) await witness.act(slots)
}

/** Picks the moment of the kill by chance: after so many answers or sendings, and so many turns of the event loop. */
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

async function timed(work: () => Promise<void>): Promise<number> {
  const since = performance.now()
  await work()
  return Math.round(performance.now() - since)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
