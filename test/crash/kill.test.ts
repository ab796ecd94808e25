import { after, before, describe, test } from 'node:test'
import { type Arena, openArena } from '../support/arena.ts'
import { assertReadySoon, surviveCrashes } from '../support/crashes.ts'
import { databasesHere } from '../support/databases.ts'
import { proved } from '../support/proof.ts'
import { chance, median, patience, scaled, seed } from '../support/scale.ts'

const kills = { sqlite: scaled(16), postgres: scaled(4) }

for (const { kind, skip } of await databasesHere()) {
  describe(`a service on ${kind} that is killed under load`, { skip, timeout: patience }, () => {
    let arena: Arena
    before(async () => {
      arena = await openArena(kind, { clients: 16, fixedClock: false, horizonDays: 3_660 })
    })
    after(() => arena.close())

    test(`loses no acknowledged write and leaves none incomplete, ${kills[kind]} times`, async (t) => {
      const survived = await surviveCrashes(arena, { count: kills[kind], random: chance(seed) })
      const { crashes, answered, unanswered, decided, readyAfter } = survived
      proved(t, `S1 ${kind}`, {
        kills: crashes,
        'writes answered': answered,
        lost: 0,
        'half bookings': 0,
        'answers swallowed': unanswered,
        'of them decided': decided,
        'worst median ready ms': median(readyAfter),
        'worst ready ms': Math.max(...readyAfter),
      })
      await assertReadySoon(arena, survived)
    })
  })
}
