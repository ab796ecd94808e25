import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { pause } from '../support/pause.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'

onEachDatabase((open) => {
  let now: number
  let session: { readonly lastSeenAt: number; readonly expiresAt: number }
  let site: TestSite
  let browser: BrowserClient
  let receiver: Receiver
  before(async () => {
    // The clock of the service starts at the time of the machine, because a receiver compares the timestamp of a delivery
    // with that.
    now = Math.floor(Date.now() / 1000)
    session = { lastSeenAt: now, expiresAt: now + 40_000 }
    site = await open({
      now,
      env: { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_SECRET_KEY: '5e'.repeat(32) },
    })
    browser = (await insertSignedInUser(site, 'admin', session)).browser
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver.close()
    await site.close()
  })

  const add = async (change: object = {}) => {
    const answer = await browser.post('/webhooks/add/', { url: receiver.url, events: ['customer.*'], ...change })
    assert.equal(answer.status, 200, answer.text)
    return { id: String(answer.body.response.id), secret: String(answer.body.response.secret) }
  }
  const list = async () => (await browser.get('/webhooks/')).body.response
  const deliveries = async (query = '') => (await browser.get(`/webhooks/deliveries/${query}`)).body.response

  test('a webhook receives a commit within seconds, with a signature by the secret that was shown once', async () => {
    const { id, secret } = await add({ description: 'Our shop', headers: [{ name: 'X-Key', value: 'hidden' }] })
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    await site.post('/customers/add/', { name: 'Ina Berg', email: 'ina@x.example' })
    await receiver.atLeast(1)
    const [one] = receiver.received
    assert.ok(one)
    const payload = Object(new Webhook(secret).verify(one.body, { ...one.headers } as Record<string, string>))
    assert.deepEqual([payload.type, payload.data.object.name], ['customer.created', 'Ina Berg'])
    const feed = (await site.get('/events/get/', { limit: 500 })).body.response
    const event = feed.find((candidate) => candidate.id === payload.id)
    assert.deepEqual(
      { seq: payload.seq, createdAt: payload.createdAt, ...payload.data },
      { seq: event?.seq, createdAt: event?.createdAt, object: event?.object, previous: event?.previous },
    )
    assert.equal(one.headers['x-key'], 'hidden')
    const shown = JSON.stringify((await list()).find((webhook) => webhook.id === id))
    assert.ok(!shown.includes('hidden') && !shown.includes(secret) && shown.includes('x-key'), shown)
    const stored = JSON.stringify(await site.sql('select * from webhook_endpoint'))
    assert.ok(!stored.includes('hidden') && !stored.includes(secret))
    await browser.post('/webhooks/remove/', { id })
  })

  test('a test event, the delivery log with request and response, and a redelivery', async () => {
    const { id } = await add()
    const before = receiver.received.length
    const sent = await browser.post('/webhooks/test/', { id })
    const deliveryId = String(sent.body.response.deliveryId)
    await receiver.atLeast(before + 1)
    assert.equal(JSON.parse(receiver.received.at(-1)?.body ?? '').type, 'webhook.test')
    const shown = async () => Object((await browser.get(`/webhooks/deliveries/one/?id=${deliveryId}`)).body.response)
    while ((await shown()).state !== 'delivered') await pause()
    const { tries, payload, eventId } = await shown()
    assert.deepEqual([tries.length, tries[0].status, tries[0].requestHeaders['webhook-id']], [1, 204, eventId])
    assert.deepEqual(JSON.parse(payload).data.object, { webhookId: id, description: '' })
    assert.deepEqual((await browser.post('/webhooks/redeliver/', { ids: [deliveryId] })).body.response, { count: 1 })
    await receiver.atLeast(before + 2)
    assert.equal(receiver.received.at(-1)?.headers['webhook-id'], eventId)
    for (const query of [`?search=${eventId}`, `?endpointId=${id}`, `?search=${deliveryId}&type=webhook.test`])
      assert.deepEqual(
        (await deliveries(query)).map((one) => one.id),
        [deliveryId],
        query,
      )
    assert.deepEqual(await deliveries(`?endpointId=${id}&type=customer.created`), [])
    await browser.post('/webhooks/remove/', { id })
    assert.equal((await browser.get(`/webhooks/deliveries/one/?id=${deliveryId}`)).status, 404)
  })

  test('addresses, events, headers and templates are validated', async () => {
    // Every template is rendered for a test event, too, which has no such variable.
    const inEvents = (variable: string) => `{% if type != 'webhook.test' %}{{ ${variable} }}{% endif %}`
    for (const [change, field] of [
      [{ url: 'http://example.com/' }, undefined],
      [{ url: 'https://10.0.0.1/' }, 'url'],
      [{ url: 'https://[::1]/' }, 'url'],
      [{ url: 'https://user:secret@example.com/' }, 'url'],
      [{ url: 'ftp://example.com/' }, 'url'],
      [{ events: [] }, 'events'],
      [{ events: ['customer.exploded'] }, 'events'],
      [{ headers: [{ name: 'webhook-id', value: 'x' }] }, 'headers'],
      [{ headers: [{ name: 'Host', value: 'x' }] }, 'headers'],
      [{ headers: [{ name: 'X', value: 'a\r\nb: c' }] }, 'headers'],
      [{ template: '{{ unknown }}' }, 'template'],
      [{ template: '{% if %}' }, 'template'],
      // A removed card is reported by its id alone, and a reservation needs no data.
      [{ template: inEvents('data.object.amount'), events: ['payment.*'] }, 'template'],
      [{ template: inEvents('data.object.amount'), events: ['payment.paid'] }, undefined],
      [{ template: inEvents('data.object.data.note'), events: ['reservation.created'] }, 'template'],
      [{ template: inEvents('data.object.start'), events: ['reservation.created'] }, undefined],
    ] as const) {
      const body = { url: receiver.url, events: ['*'], ...change }
      const answer = await browser.post('/webhooks/add/', body)
      if (field === undefined) {
        // Plain HTTP is accepted, because the test service may send requests to 127.0.0.0/8
        // (`DAYBOOK_OUTBOUND_NETWORKS`). Whether a host has an address in that network is checked only when the service
        // connects.
        assert.equal(answer.status, 200, answer.text)
        await browser.post('/webhooks/remove/', { id: answer.body.response.id })
      } else {
        assert.equal(answer.status, 400, JSON.stringify(change))
        assert.deepEqual(Object.keys(answer.body.details), [field], answer.text)
      }
    }
    const preview = await browser.post('/webhooks/preview/', {
      template: '{{ data.object.name | upcase }}',
      type: 'customer.created',
    })
    assert.deepEqual(preview.body.response, { body: 'JO PARK' })
  })

  test('a webhook whose headers were encrypted with a lost key is listed, and gets new ones', async () => {
    const headers = [{ name: 'X-Key', value: 'hidden' }]
    const { id } = await add({ headers })
    await site.sql('update webhook_endpoint set headers = ? where id = ?', [`v1.${'A'.repeat(80)}`, id])
    const names = async () => Object((await list()).find((webhook) => webhook.id === id)).headerNames
    assert.deepEqual(await names(), [])
    assert.equal((await browser.post('/webhooks/edit/', { id, headers })).status, 200)
    assert.deepEqual(await names(), ['x-key'])
    await browser.post('/webhooks/remove/', { id })
  })

  test('a change of address asks for recent authentication; a manager sees nothing', async () => {
    const { id } = await add()
    const stale = (await insertSignedInUser(site, 'admin', { ...session, authenticatedAt: now - 3_600 })).browser
    assert.equal((await stale.post('/webhooks/edit/', { id, description: 'x' })).status, 200)
    for (const change of [{ url: receiver.url }, { template: null }, { headers: [] }])
      assert.equal((await stale.post('/webhooks/edit/', { id, ...change })).status, 403)
    assert.equal((await stale.post('/webhooks/rotate/', { id })).status, 403)
    assert.equal((await (await insertSignedInUser(site, 'manager', session)).browser.get('/webhooks/')).status, 403)
    await browser.post('/webhooks/remove/', { id })
  })

  test('the history shows managers only the origin of the address of a webhook, and no template', async () => {
    const secret = new URL('/path-secret?key=query-secret', receiver.url).href
    const { id } = await add({ url: secret, template: '{"routing_key": "body-secret"}' })
    const changed = await browser.post('/webhooks/edit/', { id, url: `${secret}-2`, description: 'Pager' })
    assert.equal(changed.status, 200, changed.text)
    const manager = (await insertSignedInUser(site, 'manager', session)).browser
    for (const query of [`?objectId=${id}`, '?type=webhook', '']) {
      const { text } = await manager.get(`/history/${query}`)
      assert.doesNotMatch(text, /(?:path|query|body)-secret/, query)
    }
    const shown = async (by: BrowserClient) =>
      (await by.get(`/history/?objectId=${id}`)).body.response.map(({ type, subject, before: was, after: is }) => [
        type,
        Object(subject).name,
        Object(was).url,
        Object(is).url,
      ])
    const { origin } = new URL(receiver.url)
    assert.deepEqual(await shown(manager), [
      ['webhook.updated', origin, origin, origin],
      ['webhook.created', origin, undefined, origin],
    ])
    assert.deepEqual(await shown(browser), [
      ['webhook.updated', `${secret}-2`, secret, `${secret}-2`],
      ['webhook.created', secret, undefined, secret],
    ])
    const [entry] = (await browser.get(`/history/?objectId=${id}`)).body.response
    assert.equal(Object(entry?.after).template, '{"routing_key": "body-secret"}')
    await browser.post('/webhooks/remove/', { id })
  })
})
