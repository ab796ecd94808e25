import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BookingVisitor, type HtmlPage, textOf } from '../support/booking-visitor.ts'
import { proved } from '../support/proof.ts'
import { scaled, seed, seededRandom, suiteTimeout } from '../support/scale.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

const rounds = scaled(2)
const steps = ['choose', 'details', 'book'] as const

onEachDatabase((open, kind) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  test(`loses no booking and orphans no hold at any step, ${rounds * steps.length} times`, {
    timeout: suiteTimeout,
  }, async (t) => {
    const random = seededRandom(seed)
    const figures = { kills: 0, 'confirmed before': 0 }
    for (let round = 0; round < rounds; round += 1)
      for (const step of steps) {
        const visitor = () => new BookingVisitor(site.server.url)
        const details = { name: `Visitor ${round} ${step}`, email: `${step}${round}@example.org` }
        const month = await visitor().open(`/book/plain/?with=1&date=${site.nextDay()}`)
        let act = () => visitor().choose(month)
        const finish: ((page: HtmlPage) => Promise<HtmlPage>)[] = []
        if (step !== 'choose') {
          const form = await act()
          act = () => visitor().fillIn(form, details)
          if (step === 'book') {
            const summary = await act()
            act = () => visitor().confirm(summary)
          }
        }
        if (step === 'choose') finish.push((page) => visitor().fillIn(page, details))
        if (step !== 'book') finish.push((page) => visitor().confirm(page))
        const sent = act().then(
          (page) => page.status === 200,
          () => false,
        )
        // The kill comes 0 to 39 turns of the event loop after sending: between the sending of the request and
        // shortly after its response.
        for (let turns = Math.floor(random() * 40); turns > 0; turns -= 1) await new Promise(setImmediate)
        await site.server.kill()
        if (await sent) figures['confirmed before'] += 1
        await site.server.restart()
        let page = await act()
        for (const next of finish) {
          assert.equal(page.status, 200, `${step}: ${textOf(page)}`)
          page = await next(page)
        }
        assert.match(textOf(page), /You are booked/, step)
        const made = await site.sql(
          'select reservation.id from reservation join customer on customer.id = customer_id where customer.name = ?',
          [details.name],
        )
        assert.equal(made.length, 1, step)
        figures.kills += 1
      }
    const orphans = await site.sql(
      'select occupancy.id from occupancy left join hold on hold.id = hold_id where hold_id is not null and hold.id is null',
    )
    assert.deepEqual(orphans, [])
    assert.deepEqual(await site.sql('select id from hold'), [])
    const { code, stdout } = await site.server.daybook('doctor')
    assert.equal(code, 0, stdout)
    proved(t, `booking page ${kind} kills`, figures)
  })
})
