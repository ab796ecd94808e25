import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, specialDate } from '../support/clinic.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  const eur = (amount: number) => ({ amount, currency: 'EUR' })

  for (const [what, service, on, right, wrong] of [
    ['the service', 'paid', undefined, eur(4500), [eur(4499), { amount: 4500, currency: 'USD' }]],
    ['the provider', 'own', undefined, eur(5000), [eur(4500)]],
    ['the slot', 'own', specialDate, { amount: 6000, currency: 'CHF' }, [eur(5000), eur(6000)]],
  ] as const)
    test(`a slot is booked at the displayed price of ${what}, and refused at any other`, async () => {
      const slot = await site.slot({ service, provider: ana, on: on ?? site.nextDay() })
      for (const expectedPrice of wrong) {
        const response = await site.assertUnchanged(() => site.add(slot, { expectedPrice }))
        assert.deepEqual([response.status, response.body.reason], [403, 'slot_price_changed'], response.text)
      }
      const trial = { headers: { 'X-SVC-Dry-Run': '1' } }
      const body = site.booking(slot, { expectedPrice: wrong[0] })
      const dry = await site.assertUnchanged(() => site.post('/reservations/add/', body, trial))
      assert.equal(dry.body.reason, 'slot_price_changed')
      const made = await site.add(slot, { expectedPrice: right })
      assert.equal(made.status, 200, made.text)
      assert.equal(made.headers.get('X-SVC-Ignored-Fields'), null)
      const kept = await site.get('/reservations/get/', { full: true, past: true })
      assert.ok(!kept.text.includes('expectedPrice'))
    })

  test('a slot without a price differs from every price', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana, on: site.nextDay() })
    const response = await site.add(slot, { expectedPrice: eur(0) })
    assert.equal(response.body.reason, 'slot_price_changed')
  })

  test('an invalid price is reported by its field', async () => {
    const slot = await site.slot({ service: 'paid', provider: ana, on: site.nextDay() })
    for (const expectedPrice of [
      4500,
      null,
      {},
      { amount: 4500 },
      { amount: '4500', currency: 'EUR' },
      { amount: 45.5, currency: 'EUR' },
      { amount: -1, currency: 'EUR' },
      { amount: 4500, currency: 'euro' },
    ]) {
      const response = await site.assertUnchanged(() => site.add(slot, { expectedPrice }))
      assert.equal(response.status, 400, JSON.stringify(expectedPrice))
      assert.match(Object.keys(Object(response.body.details)).join(), /^expectedPrice/, response.text)
    }
  })

  test('an edit compares the price only when the slot changes', async () => {
    const on = site.nextDay()
    const id = await site.book(await site.slot({ service: 'paid', provider: ana, on, nth: 0 }))
    const { start } = await site.slot({ service: 'paid', provider: ana, on, nth: 4 })
    const refused = await site.assertUnchanged(() => site.edit(id, { start, expectedPrice: eur(1) }))
    assert.deepEqual([refused.status, refused.body.reason], [403, 'slot_price_changed'])
    assert.equal((await site.edit(id, { data: { note: 'x' }, expectedPrice: eur(1) })).status, 200)
    assert.equal((await site.edit(id, { start, expectedPrice: eur(4500) })).status, 200)
    assert.equal((await site.edit(id, { start: 'soon', expectedPrice: eur(4500) })).status, 400)
  })

  test('the same idempotency key with another price is another request', async () => {
    const slot = await site.slot({ service: 'paid', provider: ana, on: site.nextDay() })
    const key = { headers: { 'Idempotency-Key': 'price-1' } }
    const add = (expectedPrice: object) => site.post('/reservations/add/', site.booking(slot, { expectedPrice }), key)
    const first = await add(eur(4500))
    assert.equal(first.status, 200, first.text)
    assert.equal((await add(eur(4500))).body.id, first.body.id)
    assert.equal((await add(eur(4501))).status, 422)
  })
})
