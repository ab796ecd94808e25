import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formAt, guestsOf } from '../support/booking-visitor.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  const book = guestsOf(() => site, '127.0.9')
  const rowOf = async (id: string) => (await site.sql('select data from reservation where id = ?', [id]))[0]

  test('a number is read by the language of the page, and shown so that it is read again as the same number', async () => {
    await site.setService('plain', { form: [{ key: 'weight', label: 'Weight', kind: 'number' }] })
    for (const [lang, text, stored, shown] of [
      ['en', '1,000', 1_000, '1000'],
      ['de', '1.000', 1_000, '1000'],
      ['de', '1,234', 1.234, '1,234'],
    ] as const) {
      const { visitor, link, id } = await book('plain', `&lang=${lang}`, { 'a.weight': text })
      assert.deepEqual(JSON.parse(String((await rowOf(id))?.data)), { weight: stored })
      await visitor.open(link)
      const form = formAt(await visitor.open(`/manage/?lang=${lang}`), '/manage/answers/')
      assert.deepEqual(
        form.fields.filter(([name]) => name === 'a.weight'),
        [['a.weight', shown]],
      )
      assert.equal((await visitor.send(form, undefined)).status, 303)
      assert.deepEqual(JSON.parse(String((await rowOf(id))?.data)), { weight: stored })
      const wrong = await visitor.send(form, undefined, { 'a.weight': '1,2,3' })
      assert.equal(wrong.status, 422)
    }
    await site.setService('plain', { form: [] })
  })

  test('answers that are too long together are refused beside the longest of them, and stay in the form', async () => {
    const keys = ['one', 'two', 'three', 'four']
    await site.setService('plain', { form: keys.map((key) => ({ key, label: `Answer ${key}`, kind: 'long_text' })) })
    const sent = Object.fromEntries(keys.map((key) => [`a.${key}`, (key === 'two' ? 'y' : 'x').repeat(4_500)]))
    sent['a.two'] += 'y'
    const { visitor, link, id } = await book('plain')
    const before = await rowOf(id)
    await visitor.open(link)
    const form = formAt(await visitor.open('/manage/'), '/manage/answers/')
    const booking = await visitor.choose(await visitor.open(`/book/plain/?with=1&date=${site.nextDay()}`))
    const details = { name: 'Longwinded', email: 'long@example.org', ...sent }
    for (const page of [await visitor.send(form, undefined, sent), await visitor.fillIn(booking, details)]) {
      assert.equal(page.status, 422)
      assert.deepEqual(
        [...page.html.matchAll(/name="([^"]+)"[^>]*aria-invalid="true"/g)].map(([, name]) => name),
        ['a.two'],
      )
      for (const text of Object.values(sent)) assert.ok(page.html.includes(text))
    }
    assert.deepEqual(await rowOf(id), before)
    await site.setService('plain', { form: [] })
  })

  test('a customer corrects an answer while one that was not asked at booking is required', async () => {
    const weight = { key: 'weight', label: 'Weight', kind: 'number' }
    await site.setService('plain', { form: [weight] })
    const { visitor, link, id } = await book('plain', '', { 'a.weight': '1' })
    await site.setService('plain', { form: [weight, { key: 'size', label: 'Size', kind: 'text', required: true }] })
    await visitor.open(link)
    const form = formAt(await visitor.open('/manage/'), '/manage/answers/')
    assert.equal((await visitor.send(form, undefined, { 'a.weight': '2' })).status, 303)
    assert.deepEqual(JSON.parse(String((await rowOf(id))?.data)), { weight: 2 })
    await site.setService('plain', { form: [{ ...weight, required: true }] })
    assert.equal((await visitor.send(form, undefined, { 'a.weight': '' })).status, 422)
    assert.deepEqual(JSON.parse(String((await rowOf(id))?.data)), { weight: 2 })
    await site.setService('plain', { form: [] })
  })
})
