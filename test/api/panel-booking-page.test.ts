import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BookingVisitor, textOf } from '../support/booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  let browser: BrowserClient
  let visitor: BookingVisitor
  before(async () => {
    site = await open()
    ;({ browser } = await insertSignedInUser(site, 'manager'))
    visitor = new BookingVisitor(site.server.url)
  })
  after(() => site.close())

  const settings = async () => Object((await browser.get('/booking-page/')).body.response)
  const edit = (body: object) => browser.post('/booking-page/edit/', body)
  const editService = (name: string, body: object) =>
    browser.post('/booking-page/service/edit/', { id: site.service(name), ...body })

  test('the page is closed and opened at once, and the history says who did it', async () => {
    assert.equal((await edit({ enabled: false })).status, 200)
    const page = await visitor.open('/book/')
    assert.equal(page.status, 404)
    assert.match(textOf(page), /Online booking is closed/)
    assert.equal((await edit({ enabled: true })).status, 200)
    assert.equal((await visitor.open('/book/')).status, 200)
    const events = await site.sql("select actor_kind from event where type = 'booking_page.updated'")
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
    const month = await visitor.open(`/book/plain/?with=1&date=${site.nextDay()}`)
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

  const links = async (name: string) =>
    Object((await browser.get(`/booking-page/links/?serviceId=${site.service(name)}`)).body.response).links
  const makeLink = async (name: string, more: object) => {
    const made = await browser.post('/booking-page/links/add/', {
      ...{ serviceId: site.service(name), singleUse: true, days: 7, ...more },
    })
    assert.equal(made.status, 200, made.text)
    const { id, url } = Object(made.body.response)
    return { id: String(id), path: new URL(String(url)).pathname }
  }
  let guests = 0
  const bookBy = async (path: string) => {
    guests += 1
    const first = await visitor.open(path)
    const month = await visitor.open(`${first.path}&with=1&date=${site.nextDay()}`)
    const form = await visitor.choose(month)
    return visitor.fillIn(form, { name: 'Ada', email: `guest${guests}@example.org` })
  }

  test('a one-time link books a service that is closed to others, once', async () => {
    await editService('hopeful', { access: 'link' })
    assert.equal((await visitor.open('/book/hopeful/')).status, 403)
    assert.doesNotMatch((await visitor.open('/book/')).html, /hopeful/)
    const { id, path } = await makeLink('hopeful', {})
    const [one, two] = [await bookBy(path), await bookBy(path)]
    assert.match(String(one.headers['x-robots-tag']), /noindex/)
    const pages = await Promise.all([visitor.confirm(one), visitor.confirm(two)])
    assert.deepEqual(pages.map(({ status }) => status).toSorted(), [200, 403])
    // The form that used the link shows its confirmation again, as when the page is reloaded; the other form does not.
    for (const [index, summary] of [one, two].entries())
      assert.equal((await visitor.confirm(summary)).status, pages[index]?.status)
    assert.match(textOf(await visitor.open(path)), /This link is not valid.*was used already/)
    const [listed] = await links('hopeful')
    assert.deepEqual([listed.id, listed.state], [id, 'used'])
    assert.match(String(listed.reservationId), /^r_/)
    const stored = JSON.stringify(await site.sql('select * from booking_link'))
    assert.ok(!stored.includes(path.split('/')[3] ?? ''))
    const events = await site.sql("select body from event where type like 'booking_page.link%'")
    assert.equal(events.length, 1)
  })

  test('a link whose booking expired unconfirmed can be used again', async () => {
    const { path } = await makeLink('hopeful', {})
    await visitor.confirm(await bookBy(path))
    const [used] = await links('hopeful')
    await site.sql("update reservation set status = 'cancelled', awaits = 'email' where id = ?", [used.reservationId])
    assert.equal((await links('hopeful'))[0].state, 'open')
    assert.equal((await visitor.confirm(await bookBy(path))).status, 200)
  })

  test('a link books often until it expires or is revoked', async () => {
    const { id, path } = await makeLink('hopeful', { singleUse: false, days: null })
    for (let count = 0; count < 2; count += 1) assert.equal((await visitor.confirm(await bookBy(path))).status, 200)
    const summary = await bookBy(path)
    assert.equal((await browser.post('/booking-page/links/revoke/', { id })).status, 200)
    assert.equal((await visitor.confirm(summary)).status, 403)
    assert.equal((await visitor.open(path)).status, 403)
    const ending = await makeLink('hopeful', { singleUse: false, days: 1 })
    await site.sql('update booking_link set expires_at = 1 where id = ?', [ending.id])
    assert.equal((await visitor.open(ending.path)).status, 403)
    assert.deepEqual(
      (await links('hopeful')).slice(0, 2).map(({ state }: { state: string }) => state),
      ['expired', 'revoked'],
    )
  })

  test('a used link does not prevent a booking of a service that is open to all', async () => {
    const { path } = await makeLink('plain', {})
    const { path: linked } = await visitor.open(path)
    for (let count = 0; count < 2; count += 1) assert.equal((await visitor.confirm(await bookBy(linked))).status, 200)
    assert.equal((await links('plain'))[0].state, 'used')
  })

  test('a link opens no other service, and unknown ones are refused', async () => {
    const { path } = await makeLink('group', {})
    const secret = path.split('/')[3]
    assert.equal((await visitor.open(`/book/hopeful/?link=${secret}`)).status, 403)
    assert.equal((await visitor.open(`/book/link/${'x'.repeat(43)}/`)).status, 403)
    assert.equal((await browser.post('/booking-page/links/revoke/', { id: 'bl_none' })).status, 404)
    await editService('hopeful', { access: 'listed' })
  })

  test('sites that may embed the page are named in its policy', async () => {
    const policy = async () => String((await visitor.open('/book/')).headers['content-security-policy'])
    assert.match(await policy(), /frame-ancestors 'none'/)
    await edit({ allowedOrigins: ['https://www.example.org'] })
    assert.match(await policy(), /frame-ancestors 'self' https:\/\/www\.example\.org/)
    assert.equal((await edit({ allowedOrigins: ["https://x.example; script-src 'unsafe-inline'"] })).status, 400)
    await edit({ allowedOrigins: [] })
  })

  test('HEAD is answered like GET without a body, and is not a visit', async () => {
    for (const path of ['/', '/book/', '/book/with/ana/', '/book/plain/', '/robots.txt', '/sitemap.xml', '/embed.js']) {
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => fetch(new URL(path, site.server.url), { method, redirect: 'manual' })),
      )
      const seen = (answer: Response | undefined) => [
        answer?.status,
        ...['content-type', 'content-length', 'location'].map((name) => answer?.headers.get(name)),
      ]
      assert.deepEqual(seen(head), seen(get), path)
      assert.equal(await head?.text(), '', path)
      assert.ok(Number(get?.status) < 400, path)
    }
    assert.equal((await fetch(new URL(`/manage/${'x'.repeat(43)}/`, site.server.url), { method: 'HEAD' })).status, 404)
  })

  test('the steps of visitors are counted without a trace of the visitor', async () => {
    for (let seen = 0; seen < 3; seen++) await fetch(new URL('/book/group/', site.server.url), { method: 'HEAD' })
    const month = await visitor.open(`/book/group/?utm_source=letter`)
    const form = await visitor.choose(await visitor.open(`${month.path}&with=1&date=${site.nextDay()}`))
    await visitor.confirm(await visitor.fillIn(form, { name: 'Ada', email: 'ada.counted@example.org' }))
    await site.server.stop()
    await site.server.restart()
    visitor = new BookingVisitor(site.server.url)
    browser = (await insertSignedInUser(site, 'manager')).browser
    const insight = Object((await browser.get('/booking-page/insight/')).body.response)
    const group = insight.services.find(({ name }: { name: string }) => name === 'group')
    assert.deepEqual([group.viewed, group.choseTime, group.startedForm, group.booked], [1, 1, 1, 1])
    const letter = insight.sources.find(({ source }: { source: string }) => source === 'letter')
    assert.deepEqual(letter, { source: 'letter', viewed: 1, booked: 1 })
    const stored = JSON.stringify(await site.sql('select * from booking_step_count'))
    assert.doesNotMatch(stored, /ada|127\./i)
  })

  test('the sitemap lists what the page lists, and search engines are kept away from a closed or unlisted page', async () => {
    await editService('long', { access: 'unlisted' })
    const text = async (path: string) => (await fetch(site.server.url + path)).text()
    const map = await text('/sitemap.xml')
    assert.match(map, new RegExp(`<loc>${site.server.url}/book/plain/</loc>`))
    assert.doesNotMatch(map, /a-long-one/)
    assert.match(await text('/robots.txt'), /Allow: \/book\/\nSitemap: /)
    assert.doesNotMatch((await visitor.open('/book/plain/?with=1')).html, /name="robots"/)
    const root = async () => (await fetch(`${site.server.url}/`, { redirect: 'manual' })).headers.get('location')
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

  test('a font is delivered from here, and own texts replace those of the page', async () => {
    await edit({ font: 'serif', texts: { bookTitle: { en: 'Come <in>' }, booked: { de: 'Fertig' } } })
    const page = await visitor.open('/book/')
    assert.match(textOf(page), /Come <in>/)
    assert.match(page.html, /Source Serif 4 Variable/)
    assert.match(String(page.headers['content-security-policy']), /font-src 'self'/)
    const load = (file: string) => fetch(`${site.server.url}/book/-/fonts/${file}`)
    const font = await load('serif-latin.woff2')
    assert.equal(font.headers.get('content-type'), 'font/woff2')
    assert.equal(
      Buffer.from(await font.arrayBuffer())
        .subarray(0, 4)
        .toString(),
      'wOF2',
    )
    for (const file of ['other-latin.woff2', 'serif-greek.woff2', '..%2fserif-latin.woff2'])
      assert.equal((await load(file)).status, 404, file)
    assert.equal((await edit({ texts: { nonsense: { en: 'x' } } })).status, 400)
    await edit({ font: 'system', texts: {} })
  })

  test('a preview shows what is not saved, to the panel alone', async () => {
    const made = await browser.post('/booking-page/preview/', { radius: 3, texts: { bookTitle: { en: 'Draft' } } })
    const { path } = Object(made.body.response)
    const page = await visitor.open(String(path))
    assert.match(textOf(page), /Draft/)
    assert.match(page.html, /--r:3px/)
    assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'self'/)
    assert.match(page.html, /href="\/book\/plain\/\?[^"]*preview=v1\./)
    assert.doesNotMatch(textOf(await visitor.open('/book/')), /Draft/)
    const forged = await visitor.open(`${String(path).slice(0, -4)}AAAA`)
    assert.doesNotMatch(textOf(forged), /Draft/)
    const long = { bookTitle: { en: 'x'.repeat(500), de: 'y'.repeat(500), es: 'z'.repeat(500), fr: 'w'.repeat(500) } }
    const cut = await browser.post('/booking-page/preview/', { radius: 4, texts: { ...long, summary: long.bookTitle } })
    assert.match((await visitor.open(String(Object(cut.body.response).path))).html, /--r:4px/)
  })

  test('other sites that link to the page find a picture', async () => {
    await editService('group', { picture: 'https://pictures.example/group.jpg' })
    const image = async (path: string) =>
      /<meta property="og:image" content="([^"]+)">/.exec((await visitor.open(path)).html)?.[1] ?? ''
    assert.equal(await image('/book/group/?with=1'), 'https://pictures.example/group.jpg')
    const general = await fetch(await image('/book/'))
    assert.equal(general.headers.get('content-type'), 'image/png')
    assert.ok((await general.arrayBuffer()).byteLength > 1_000)
  })

  test('a site file sets the page and its services, and names what is wrong', async () => {
    const apply = (bookingPage: object) => site.server.apply({ bookingPage })
    await apply({ radius: 7, services: { plain: { slug: 'from-a-file', category: 'Filed' } } })
    assert.match((await visitor.open('/book/')).html, /--r:7px/)
    assert.equal((await visitor.open('/book/from-a-file/?with=1')).status, 200)
    for (const [services, place] of [
      [{ none: {} }, /bookingPage\.services\.none/],
      [{ plain: { slug: 'Not Good' } }, /bookingPage\.services\.plain\.slug/],
      [{ group: { slug: 'from-a-file' } }, /bookingPage\.services\.group\.slug/],
    ] as const)
      await assert.rejects(apply({ services }), place)
    const events = async () => (await site.sql("select id from event where type = 'booking_page.updated'")).length
    const before = await events()
    await apply({ radius: 7, services: { plain: { slug: 'from-a-file' } } })
    assert.equal(await events(), before)
  })

  test('equal settings change nothing', async () => {
    const before = await settings()
    const count = async () =>
      (await site.sql("select count(*) as count from event where type = 'booking_page.updated'"))[0]
    const events = await count()
    await edit(before.settings)
    assert.deepEqual(await settings(), before)
    assert.deepEqual(await count(), events)
  })
})
