import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { BookingVisitor, detailsForm, fieldOf, type HtmlPage } from '../support/booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  let admin: BrowserClient
  let visitor: BookingVisitor
  let visitors = 0
  before(async () => {
    site = await open()
    admin = (await insertSignedInUser(site, 'admin')).browser
  })
  after(() => site.close())
  beforeEach(() => {
    visitors += 1
    visitor = new BookingVisitor(site.server.url, { localAddress: `127.0.8.${visitors}` })
  })

  const editPage = async (change: object) => assert.equal((await admin.post('/booking-page/edit/', change)).status, 200)
  const namesOf = (page: HtmlPage) => page.forms.flatMap(({ fields }) => fields.map(([name]) => name))

  test('an address fills in details, but agrees to nothing; a customer who has agreed need not do so again', async (t) => {
    await editPage({ consent: { en: 'You may store my details.' }, termsUrl: 'https://clinic.example/terms' })
    t.after(() => editPage({ consent: {}, termsUrl: '' }))
    const agreed = ['consent', 'terms', 'sms', 'pays']
    const query = new URLSearchParams({ name: 'Ada', email: 'ada@example.org', consent: 'on', terms: 'on' })
    const more = new URLSearchParams({ sms: 'on', pays: 'on_site', guest2name: 'Grace' })
    const month = await visitor.open(`/book/plain/?with=1&date=${site.nextDay()}&${query}&${more}`)
    assert.equal(fieldOf(month, 'name'), 'Ada')
    const form = await visitor.choose(month)
    assert.equal(fieldOf(form, 'email'), 'ada@example.org')
    for (const page of [month, form])
      assert.deepEqual(
        namesOf(page).filter((name) => agreed.includes(name) || name.startsWith('guest')),
        [],
      )
    assert.equal((await visitor.fillIn(form, {})).status, 422)
    const boxes = { consent: 'on', terms: 'on' }
    const left = await visitor.send(detailsForm(form), { name: 'step', value: 'release' }, boxes)
    assert.equal((await visitor.fillIn(await visitor.choose(left), {})).status, 200)
  })

  test('as many people are offered as the provider or the date has seats, and as were chosen before', async (t) => {
    const set = (long: number | null, group: number | null) =>
      site.server.apply({
        providers: [{ id: 1, name: 'Ana', services: { long: { capacity: long }, group: { capacity: group } } }],
      })
    t.after(() => set(null, null))
    await set(4, 1)
    const offered = []
    for (const path of [
      ...['long/?with=1', 'long/?with=any', 'long/?with=2', 'group/?with=1', 'group/?with=2'],
      ...['plain/?with=1&month=2026-11', 'plain/?with=1&month=2026-10', 'plain/?with=1&month=2026-10&seats=2'],
    ]) {
      const { html } = await visitor.open(`/book/${path}`)
      const [, options = ''] = /<select name="seats">(.*?)<\/select>/.exec(html) ?? []
      offered.push([path, options.split('<option').length - 1])
    }
    assert.deepEqual(offered, [
      ['long/?with=1', 4],
      ['long/?with=any', 4],
      ['long/?with=2', 0],
      ['group/?with=1', 0],
      ['group/?with=2', 3],
      // Ana has two seats on one date of November.
      ['plain/?with=1&month=2026-11', 2],
      ['plain/?with=1&month=2026-10', 0],
      ['plain/?with=1&month=2026-10&seats=2', 2],
    ])
  })

  test('the date and the details of an address reach the calendar, whatever leads to it', async () => {
    const weekly = { tue: ['09:00-10:00'] }
    await site.server.apply({ providers: [{ id: 4, name: 'Dan', allowedServices: ['long'], weekly }] })
    const group = { id: site.service('group'), slug: 'class' }
    assert.equal((await admin.post('/booking-page/service/edit/', group)).status, 200)
    const link = { serviceId: site.service('own'), singleUse: false, days: 7 }
    const made = await admin.post('/booking-page/links/add/', link)
    const { pathname } = new URL(String(made.body.response.url))
    const sent = [
      ...[['name', 'Ada'] as const, ['email', 'ada@example.org'] as const],
      ...[['a.topics', 'Skin & hair'] as const, ['a.topics', 'Eyes'] as const, ['date', '2026-11-10'] as const],
    ]
    const query = new URLSearchParams(sent.map((entry) => [...entry]))
    for (const [path, clicks] of [
      ['/', ['/book/own/']],
      ['/book/with/dan/', []],
      ['/book/group/', ['/book/class/?with=any']],
      [pathname, []],
      ['/book/', ['/book/own/']],
      ['/book/', ['/book/plain/', '/book/plain/?with=1']],
      ['/book/with/cleo/', ['/book/plain/']],
    ] as const) {
      let page = await visitor.open(`${path}?${query}`)
      for (const click of clicks) {
        const hrefs = [...page.html.matchAll(/<a class="card" href="([^"]*)"/g)].map(([, href = '']) => href)
        const href = hrefs.map((one) => one.replaceAll('&amp;', '&')).find((one) => one.startsWith(click))
        page = await visitor.open(href ?? assert.fail(`${path}: no link to ${click}`))
      }
      const [form] = page.forms
      const shown = form?.fields.filter(([name]) => sent.some(([one]) => one === name))
      assert.deepEqual(shown?.toSorted(), sent.toSorted(), `${path} ${clicks.join()}`)
    }
  })
})
