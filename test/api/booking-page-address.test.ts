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
})
