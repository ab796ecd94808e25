import { after, before, describe, test } from 'node:test'
import { type ContendedSite, openContendedSite } from '../support/contended-site.ts'
import { assertReadySoon, crashRepeatedly } from '../support/crashes.ts'
import { databasesHere } from '../support/databases.ts'
import { proved } from '../support/proof.ts'
import { median, scaled, seed, seededRandom, suiteTimeout } from '../support/scale.ts'

const kills = { sqlite: scaled(16), postgres: scaled(4) }

for (const { kind, skip } of await databasesHere()) {
  describe(`a service on ${kind} that is killed under load`, { skip, timeout: suiteTimeout }, () => {
    let site: ContendedSite
    before(async () => {
      site = await openContendedSite(kind, { clients: 16, fixedClock: false, horizonDays: 3_660 })
    })
    after(() => site.close())

    test(`loses no acknowledged write and leaves none incomplete, ${kills[kind]} times`, async (t) => {
      const survived = await crashRepeatedly(site, { count: kills[kind], random: seededRandom(seed) })
      const { crashes, answered, unanswered, committed, readyAfter } = survived
      proved(t, `S1 ${kind}`, {
        kills: crashes,
        'writes answered': answered,
        lost: 0,
        'half bookings': 0,
        'answers swallowed': unanswered,
        'of them decided': committed,
        'worst median ready ms': median(readyAfter),
        'worst ready ms': Math.max(...readyAfter),
      })
      assertReadySoon(survived)
    })
  })
}
