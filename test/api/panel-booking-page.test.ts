import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BookingVisitor, textOf } from '../support/booking-visitor.ts'
import { type Browser, inside } from '../support/panel-door.ts'
import { onEachDatabase, type World } from '../support/world.ts'

onEachDatabase((open) => {
  let world: World
  let browser: Browser
  let visitor: BookingVisitor
  before(async () => {
    world = await open()
    ;({ browser } = await inside(world, 'manager'))
    visitor = new BookingVisitor(world.server.url)
  })
  after(() => world.close())

  const settings = async () => Object((await browser.get('/booking-page/')).body.response)
  const edit = (body: object) => browser.post('/booking-page/edit/', body)
  const editService = (name: string, body: object) =>
    browser.post('/booking-page/service/edit/', { id: world.service(name), ...body })

  test('the page is closed and opened at once, and the history says by whom', async () => {
    assert.equal((await edit({ enabled: false })).status, 200)
    const page = await visitor.open('/book/')
    assert.equal(page.status, 404)
    assert.match(textOf(page), /Online booking is closed/)
    assert.equal((await edit({ enabled: true })).status, 200)
    assert.equal((await visitor.open('/book/')).status, 200)
    const events = await world.sql("select actor_kind from event where type = 'booking_page.updated'")
    assert.deepEqual(
      events.map(({ actor_kind }) => actor_kind),
      ['user', 'user'],
    )
  })

  test('what customers are asked follows the settings', async () => {
    await edit({
      phone: 'required',
      consent: { en: 'I agree to <b>everything</b>' },
      termsUrl: 'https://terms.example/',
    })
    const month = await visitor.open(`/book/plain/?with=1&date=${world.nextDay()}`)
    const form = await visitor.choose(month)
    assert.match(form.html, /I agree to &lt;b&gt;everything/)
    const refused = await visitor.fillIn(form, { name: 'Ada', email: 'ada@example.org', phone: '', country: 'DE' })
    assert.deepEqual(
      ['phone', 'consent', 'terms'].map((name) => refused.html.includes(`id="e-${name}"`)),
      [true, true, true],
    )
    await edit({ phone: 'none', consent: {}, termsUrl: '' })
  })

  test('a service gets a new address, and the old one redirects', async () => {
    assert.equal((await editService('long', { slug: 'a-long-one', category: 'Special' })).status, 200)
    const page = await visitor.open('/book/long/')
    assert.equal(page.path, '/book/a-long-one/')
    assert.match(textOf(await visitor.open('/book/')), /Special/)
    for (const [slug, field] of [
      ['plain', 'slug'],
      ['Not Good', 'slug'],
      ['with', 'slug'],
    ] as const) {
      const refused = await editService('long', { slug })
      assert.equal(refused.status, 400)
      assert.ok(refused.body.details[field])
    }
  })

  test('an unlisted service is found by its address only, a closed one not at all', async () => {
    await editService('long', { access: 'unlisted' })
    assert.doesNotMatch((await visitor.open('/book/')).html, /a-long-one/)
    assert.equal((await visitor.open('/book/a-long-one/')).status, 200)
    await editService('long', { access: 'closed' })
    assert.equal((await visitor.open('/book/a-long-one/')).status, 404)
  })

  test('sites that may embed the page are named in its policy', async () => {
    const policy = async () => String((await visitor.open('/book/')).headers['content-security-policy'])
    assert.match(await policy(), /frame-ancestors 'none'/)
    await edit({ allowedOrigins: ['https://www.example.org'] })
    assert.match(await policy(), /frame-ancestors 'self' https:\/\/www\.example\.org/)
    assert.equal((await edit({ allowedOrigins: ["https://x.example; script-src 'unsafe-inline'"] })).status, 400)
    await edit({ allowedOrigins: [] })
  })

  test('the steps of visitors are counted without a trace of the visitor', async () => {
    const month = await visitor.open(`/book/group/?utm_source=letter`)
    const form = await visitor.choose(await visitor.open(`${month.path}&with=1&date=${world.nextDay()}`))
    await visitor.confirm(await visitor.fillIn(form, { name: 'Ada', email: 'ada.counted@example.org' }))
    await world.server.stop()
    await world.server.restart()
    visitor = new BookingVisitor(world.server.url)
    browser = (await inside(world, 'manager')).browser
    const insight = Object((await browser.get('/booking-page/insight/')).body.response)
    const group = insight.services.find(({ name }: { name: string }) => name === 'group')
    assert.deepEqual([group.viewed, group.choseTime, group.startedForm, group.booked], [1, 1, 1, 1])
    const letter = insight.sources.find(({ source }: { source: string }) => source === 'letter')
    assert.deepEqual(letter, { source: 'letter', viewed: 1, booked: 1 })
    const stored = JSON.stringify(await world.sql('select * from booking_step_count'))
    assert.doesNotMatch(stored, /ada|127\./i)
  })

  test('the sitemap lists what the page lists, and search engines are kept away from a closed or unlisted page', async () => {
    await editService('long', { access: 'unlisted' })
    const text = async (path: string) => (await fetch(world.server.url + path)).text()
    const map = await text('/sitemap.xml')
    assert.match(map, new RegExp(`<loc>${world.server.url}/book/plain/</loc>`))
    assert.doesNotMatch(map, /a-long-one/)
    assert.match(await text('/robots.txt'), /Allow: \/book\/\nSitemap: /)
    assert.doesNotMatch((await visitor.open('/book/plain/?with=1')).html, /name="robots"/)
    const root = async () => (await fetch(`${world.server.url}/`, { redirect: 'manual' })).headers.get('location')
    assert.equal(await root(), '/book/')
    await edit({ indexed: false })
    assert.equal(await text('/robots.txt'), 'User-agent: *\nDisallow: /\n')
    assert.doesNotMatch(await text('/sitemap.xml'), /<loc>/)
    assert.match((await visitor.open('/book/plain/?with=1')).html, /name="robots" content="noindex"/)
    await edit({ indexed: true, enabled: false })
    assert.equal(await root(), '/admin/')
    assert.doesNotMatch(await text('/sitemap.xml'), /<loc>/)
    await edit({ enabled: true })
  })

  test('the description for search engines has the price in the unit of the currency', async () => {
    const { html } = await visitor.open('/book/own/?with=1')
    const offer = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '{}')
    assert.deepEqual([offer['@type'], offer.name, offer.provider.name], ['Service', 'own', 'Harbour Clinic'])
    assert.match(offer.offers.price, /^\d+\.\d\d$/)
    assert.equal(offer.offers.priceCurrency, 'EUR')
  })

  test('equal settings change nothing', async () => {
    const before = await settings()
    const count = async () =>
      (await world.sql("select count(*) as count from event where type = 'booking_page.updated'"))[0]
    const events = await count()
    await edit(before.settings)
    assert.deepEqual(await settings(), before)
    assert.deepEqual(await count(), events)
  })
})
