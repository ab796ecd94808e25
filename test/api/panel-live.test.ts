import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { BookingVisitor, detailsForm } from '../support/booking-visitor.ts'
import { insertSignedInUser } from '../support/browser-client.ts'
import { type LiveScreen, openLiveScreen, requestLiveScreen } from '../support/live-screen.ts'
import { waitingForLocks } from '../support/lock-waits.ts'
import { pause } from '../support/pause.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open, kind) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  const startWatching = (cookie: string | undefined): ClientRequest => requestLiveScreen(site.server.url, cookie)
  const watch = (cookie: string | undefined): Promise<LiveScreen> => openLiveScreen(site.server.url, cookie)

  test("a booking is sent to open screens; a provider's screen receives changes of their own calendar only", async () => {
    const [manager, own, other] = await Promise.all([
      insertSignedInUser(site, 'manager'),
      insertSignedInUser(site, 'provider', { providerId: 1 }),
      insertSignedInUser(site, 'provider', { providerId: 2 }),
    ])
    const [all, mine, theirs] = await Promise.all([
      watch(manager.browser.cookie),
      watch(own.browser.cookie),
      watch(other.browser.cookie),
    ])
    const { start } = await site.booked({ service: 'plain', provider: 1 })
    const day = new Date(start * 1000).toISOString().slice(0, 10)
    const expected = { kinds: ['reservation'], providerIds: [1], days: [day] }
    assert.deepEqual(await all.receives('reservation'), expected)
    assert.deepEqual(await mine.receives('reservation'), expected)
    // Messages are sent in the order of the changes. Once the screen has the message about this booking of provider 2,
    // no message about the earlier booking of provider 1 can follow.
    await site.booked({ service: 'plain', provider: 2 })
    assert.deepEqual((await theirs.receives('reservation')).providerIds, [2])
    assert.equal(theirs.words.length, 1)
    await manager.browser.post('/time-off/add/', { providerId: 1, start: start + 86_400, end: start + 90_000 })
    const later = new Date((start + 86_400) * 1000).toISOString().slice(0, 10)
    const away = { kinds: ['time_off'], providerIds: [1], days: [later] }
    assert.deepEqual(await all.receives('time_off'), away)
    assert.deepEqual(await mine.receives('time_off'), away)
    for (const screen of [all, mine, theirs]) screen.close()
  })

  test('a hold of a visitor is sent when it is placed and when it ends', async () => {
    const [manager, own, other] = await Promise.all([
      insertSignedInUser(site, 'manager'),
      insertSignedInUser(site, 'provider', { providerId: 1 }),
      insertSignedInUser(site, 'provider', { providerId: 2 }),
    ])
    const [all, mine, theirs] = await Promise.all([manager, own, other].map(({ browser: { cookie } }) => watch(cookie)))
    assert.ok(all && mine && theirs)
    const visitor = new BookingVisitor(site.server.url)
    const on = site.nextDay()
    const form = await visitor.choose(await visitor.open(`/book/plain/?with=1&date=${on}`))
    const expected = { kinds: ['hold'], providerIds: [1], days: [on] }
    assert.deepEqual(await all.receives('hold'), expected)
    assert.deepEqual(await mine.receives('hold'), expected)
    mine.words.length = 0
    await visitor.send(detailsForm(form), { name: 'step', value: 'release' })
    assert.deepEqual(await mine.receives('hold'), expected)
    await site.booked({ service: 'plain', provider: 2 })
    await theirs.receives('reservation')
    assert.ok(theirs.words.every(({ kinds }) => !kinds.includes('hold')))
    for (const screen of [all, mine, theirs]) screen.close()
  })

  // Only on PostgreSQL can another session delay how the service reads the log.
  if (kind === 'postgres')
    test('a stream begins no earlier than the service knows from where in the log it follows', async (t) => {
      // On this site, no other stream is open whose position in the log would be known.
      const own = await open()
      const address = { connectionString: own.databaseUrl }
      const [blocker, observer] = [new pg.Client(address), new pg.Client(address)]
      t.after(async () => {
        await Promise.all([blocker.end(), observer.end()])
        await own.close()
      })
      await Promise.all([blocker.connect(), observer.connect()])
      const { browser } = await insertSignedInUser(own, 'manager')
      assert.equal((await browser.get('/session/')).status, 200)
      await blocker.query('begin; lock table event in access exclusive mode')
      let hasBegun = false
      const asking = requestLiveScreen(own.server.url, browser.cookie)
      const answered = once(asking, 'response').then(([response]: IncomingMessage[]) => {
        hasBegun = true
        return response
      })
      while ((await waitingForLocks(observer)) === 0) await pause()
      assert.equal((await fetch(`${own.server.url}/health/live`)).status, 200)
      assert.equal(hasBegun, false)
      await blocker.query('commit')
      const response = await answered
      response?.on('error', () => {}).destroy()
      assert.equal(response?.statusCode, 200)
    })

  test('the live stream ends with its session', async () => {
    const { browser } = await insertSignedInUser(site, 'admin')
    const screen = await watch(browser.cookie)
    assert.equal((await browser.post('/session/sign-out/')).status, 200)
    await screen.ended
  })

  test('a closed screen leaves no listener, however early its request ends', async () => {
    const { browser } = await insertSignedInUser(site, 'admin')
    for (let round = 0; round < 25; round++) {
      const screen = await watch(browser.cookie)
      screen.close()
    }
    const early = Array.from({ length: 200 }, () => startWatching(browser.cookie))
    for (const asking of early) {
      asking.on('error', () => {})
      await pause()
      asking.destroy()
    }
    for (let status = 503; status === 503; ) {
      // The service refuses requests with 503 while it is still closing the 200 cancelled streams.
      const asking = startWatching(browser.cookie)
      const [response]: IncomingMessage[] = await once(asking, 'response')
      response?.on('error', () => {}).destroy()
      status = response?.statusCode ?? 0
      assert.ok(status === 200 || status === 503, String(status))
    }
  })

  test('one user has at most 20 open streams, and takes none from others', async () => {
    const [one, other] = await Promise.all([insertSignedInUser(site, 'admin'), insertSignedInUser(site, 'manager')])
    const screens: LiveScreen[] = []
    for (let count = 0; count < 20; count++) screens.push(await watch(one.browser.cookie))
    assert.equal((await one.browser.get('/live/')).status, 429)
    screens.push(await watch(other.browser.cookie))
    screens.shift()?.close()
    // The service notices a moment later that one of the user's 20 streams is closed, and only then accepts another
    // one, so the request is repeated.
    for (;;) {
      const asking = startWatching(one.browser.cookie)
      const [response]: IncomingMessage[] = await once(asking, 'response')
      response?.on('error', () => {}).destroy()
      if (response?.statusCode === 200) break
    }
    for (const screen of screens) screen.close()
  })

  test('open streams do not keep the service from stopping', async () => {
    const { browser } = await insertSignedInUser(site, 'admin')
    const screen = await watch(browser.cookie)
    assert.equal(await site.server.stop(), 0)
    await screen.ended
  })
})
