import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BookingVisitor, type HtmlPage, textOf } from '../support/booking-visitor.ts'
import { now } from '../support/clinic.ts'
import { pause } from '../support/pause.ts'
import { proved } from '../support/proof.ts'
import { suiteTimeout } from '../support/scale.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

const visitors = 200
const slots = 20

onEachDatabase((open, kind) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  test('of 200 visitors from as many addresses, 20 book a slot each, and 180 are offered other times', {
    timeout: suiteTimeout,
  }, async (t) => {
    const days = [site.nextDay(), site.nextDay()]
    const listed = (await Promise.all(days.map((on) => site.slots({ service: 'plain', provider: 1, on })))).flat()
    const wanted = listed.slice(0, slots).map(({ start, providerId }) => `${start}.${providerId}`)
    assert.equal(wanted.length, slots)
    const visit = async (index: number): Promise<'booked' | 'alternatives'> => {
      const visitor = new BookingVisitor(site.server.url, { localAddress: `127.0.2.${index + 1}` })
      const month = await visitor.open(`/book/plain/?with=1&date=${days[0]}`)
      const form = month.forms.find(({ buttons }) => buttons.some(({ name }) => name === 'slot'))
      assert.ok(form, `${month.status} ${textOf(month)}`)
      const slot = wanted[index % slots] ?? ''
      const chosen = await visitor.send(form, { name: 'slot', value: slot })
      if (chosen.status === 409) return offered(chosen)
      const summary = await visitor.fillIn(chosen, { name: `Visitor ${index}`, email: `v${index}@example.org` })
      const done = await visitor.confirm(summary)
      assert.equal(done.status, 200, textOf(done))
      assert.match(textOf(done), /You are booked/)
      return 'booked'
    }
    const results = await Promise.all(Array.from({ length: visitors }, (_, index) => visit(index)))
    const booked = results.filter((result) => result === 'booked').length
    assert.deepEqual([booked, results.length - booked], [slots, visitors - slots])
    const rows = await site.sql(
      "select start_at, count(*) as count from reservation where status = 'confirmed' group by start_at",
    )
    assert.deepEqual(
      rows.map(({ count }) => Number(count)),
      Array.from({ length: slots }, () => 1),
    )
    assert.deepEqual(await site.sql('select id from hold'), [])
    proved(t, `booking page ${kind}`, { visitors, booked, alternatives: results.length - booked })
  })

  function offered(page: HtmlPage): 'alternatives' {
    assert.match(textOf(page), /This time was just taken.*Other free times/)
    return 'alternatives'
  }

  test('holds of visitors who leave are gone after they expire', async () => {
    const day = site.nextDay()
    for (let index = 0; index < 10; index += 1) {
      const visitor = new BookingVisitor(site.server.url, { localAddress: `127.0.3.${index + 1}` })
      const month = await visitor.open(`/book/plain/?with=2&date=${day}`)
      assert.equal((await visitor.choose(month)).status, 200)
    }
    const free = async () => (await site.slots({ service: 'plain', provider: 2, on: day })).length
    const before = await free()
    await site.server.stop()
    await site.server.restart({ now: now + 3_600 })
    // A hold reserves a slot for a visitor for ten minutes. The slots of expired holds are listed as free at once; a
    // job deletes the rows of the holds soon after the start of the service.
    assert.equal(await free(), before + 10)
    while ((await site.sql('select id from hold')).length > 0) await pause()
    assert.deepEqual(await site.sql('select id from occupancy where hold_id is not null'), [])
  })
})
