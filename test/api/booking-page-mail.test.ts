import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { BookingVisitor, type HtmlPage, textOf } from '../support/booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import { MailServer, partOf } from '../support/mail-server.ts'
import { pause } from '../support/pause.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  let admin: BrowserClient
  let mailServer: MailServer
  let visitor: BookingVisitor
  let visitors = 0
  let ada = { name: '', email: '' }
  before(async () => {
    mailServer = await MailServer.open()
    site = await open()
    admin = (await insertSignedInUser(site, 'admin')).browser
    const from = { name: 'The clinic', address: 'desk@clinic.example' }
    const smtp = { host: '127.0.0.1', port: mailServer.port, security: 'none', user: '' }
    assert.equal((await admin.post('/notifications/settings/edit/', { enabled: true, from, smtp })).status, 200)
    await editPage({ verifyEmail: true })
  })
  after(async () => {
    // The service is closed before the SMTP server, because the service has open connections to that server.
    await site.close()
    await mailServer.close()
  })
  beforeEach(() => {
    visitors += 1
    visitor = new BookingVisitor(site.server.url, { localAddress: `127.0.6.${visitors}` })
    ada = { name: `Ada ${visitors}`, email: `ada${visitors}@example.org` }
  })

  const editPage = async (change: object) => assert.equal((await admin.post('/booking-page/edit/', change)).status, 200)
  const editService = async (name: string, change: object) =>
    assert.equal((await admin.post('/booking-page/service/edit/', { id: site.service(name), ...change })).status, 200)
  const reservationsOf = (email: string) =>
    site.sql(
      `select r.id, r.status, r.awaits, r.expires_at, r.start_at from reservation r
       join customer c on c.id = r.customer_id where c.email = ? order by r.created_at, r.id`,
      [email],
    )

  async function book(service = 'plain', more = '', details: Readonly<Record<string, string>> = {}): Promise<HtmlPage> {
    const month = await visitor.open(`/book/${service}/?with=1&date=${site.nextDay()}${more}`)
    return visitor.confirm(await visitor.fillIn(await visitor.choose(month), { ...ada, ...details }))
  }
  const linkIn = async (email: string, pattern: RegExp): Promise<string> => {
    const link = pattern.exec(partOf(await mailServer.firstTo(email), 'text/plain') ?? '')?.[0]
    assert.ok(link, `no ${pattern}`)
    return new URL(link).pathname
  }
  const verifyLink = (email: string) => linkIn(email, /https?:\/\/\S+\/manage\/verify\/\S+\//)

  test('a booking counts once its e-mail address is confirmed, by a button, not by opening the link', async () => {
    const page = await book()
    assert.match(textOf(page), /Confirm your e-mail address We have sent a message to ada\d+@example\.org/)
    assert.doesNotMatch(page.html, /data-booked|\/manage\//)
    const link = await verifyLink(ada.email)
    const asked = await visitor.open(link)
    assert.match(textOf(asked), /Your booking counts once you confirm it/)
    assert.equal(asked.headers['referrer-policy'], 'no-referrer')
    const [waiting] = await reservationsOf(ada.email)
    assert.deepEqual([waiting?.status, waiting?.awaits], ['pending', 'email'])
    assert.ok(Number(waiting?.expires_at) >= now + 1_800)
    const shown = await site.reservation(String(waiting?.id))
    assert.deepEqual([Object(shown).awaits, Object(shown).expires], ['email', waiting?.expires_at])
    const managed = await visitor.post(link, new URLSearchParams())
    assert.equal(managed.status, 303)
    const manage = await visitor.open(String(managed.headers.location))
    assert.match(textOf(manage), /Your e-mail address is confirmed.*confirmed/)
    const [kept] = await reservationsOf(ada.email)
    assert.deepEqual([kept?.status, kept?.awaits, kept?.expires_at], ['confirmed', null, null])
    const events = await site.eventsOf(String(kept?.id), 2)
    assert.deepEqual(
      events.map(({ type, actor }) => [type, actor.kind]),
      [
        ['reservation.created', 'customer'],
        ['reservation.confirmed', 'customer'],
      ],
    )
    // A confirmation link that is used again changes nothing.
    assert.equal((await visitor.post(link, new URLSearchParams())).status, 303)
    assert.equal((await site.eventsOf(String(kept?.id), 2)).length, 2)
  })

  test('a booking that is not confirmed in time has expired, and its link says so', async () => {
    await book()
    const link = await verifyLink(ada.email)
    const [waiting] = await reservationsOf(ada.email)
    await site.sql('update reservation set expires_at = ? where id = ?', [now - 1, String(waiting?.id)])
    for (const page of [await visitor.open(link), await visitor.post(link, new URLSearchParams())]) {
      assert.equal(page.status, 410)
      assert.match(textOf(page), /This booking has expired/)
    }
    const [still] = await reservationsOf(ada.email)
    assert.equal(still?.status, 'pending')
  })

  test('the link of a booking that was confirmed leads to its page once it is cancelled, that of another has expired', async () => {
    for (const confirmed of [true, false]) {
      ada = { ...ada, email: `${confirmed}.${ada.email}` }
      await book()
      const link = await verifyLink(ada.email)
      if (confirmed) await visitor.post(link, new URLSearchParams())
      const [booked] = await reservationsOf(ada.email)
      assert.equal((await site.edit(String(booked?.id), { status: 'cancelled' })).status, 200)
      const opened = await visitor.open(link)
      const posted = await visitor.post(link, new URLSearchParams())
      if (confirmed) {
        assert.deepEqual([opened.path, posted.status, posted.headers.location], ['/manage/', 303, '/manage/'])
        assert.match(textOf(opened), /Your appointment.*cancelled/)
        assert.doesNotMatch(textOf(opened), /address is confirmed/)
      } else assert.deepEqual([opened.status, posted.status], [410, 410])
    }
  })

  test('several persons of one form are confirmed together', async () => {
    const guest = { guest2name: 'Grace', guest2email: `grace${visitors}@example.org` }
    await book('group', '&seats=2', guest)
    await visitor.post(await verifyLink(ada.email), new URLSearchParams())
    for (const email of [ada.email, guest.guest2email]) {
      const [one] = await reservationsOf(email)
      assert.deepEqual([one?.status, one?.awaits], ['confirmed', null])
    }
    assert.match((await mailServer.firstTo(guest.guest2email)).headers.get('subject') ?? '', /^Confirmed/)
  })

  test('a confirmed address leaves a booking waiting for what its service asks besides', async () => {
    for (const [service, awaits] of [
      ['approved', null],
      ['paid', 'payment'],
    ] as const) {
      ada = { ...ada, email: `${service}.${ada.email}` }
      await book(service)
      await visitor.post(await verifyLink(ada.email), new URLSearchParams())
      const [one] = await reservationsOf(ada.email)
      assert.deepEqual([one?.status, one?.awaits, one?.expires_at === null], ['pending', awaits, awaits === null])
    }
  })

  test('a confirmed address leaves repeated no-shows waiting for approval, under any name and for every seat', async () => {
    const policy = async (noShows: object | null) =>
      assert.equal((await admin.post('/site/edit/', { policies: { noShows } })).status, 200)
    const guest = { guest2name: 'Grace', guest2email: `grace${visitors}@example.org` }
    const { body } = await admin.post('/customers/add/', { name: 'Late', email: guest.guest2email, phone: '' })
    const id = await site.book(await site.slot({ service: 'plain' }), { customerId: String(body.id) })
    assert.equal((await admin.post('/reservations/attendance/', { id, state: 'no_show' })).status, 200)
    await policy({ count: 1, months: 6, online: 'approve' })
    await book('group', '&seats=2', guest)
    await visitor.post(await verifyLink(ada.email), new URLSearchParams())
    for (const email of [ada.email, guest.guest2email]) {
      const [one] = (await reservationsOf(email)).filter((reservation) => reservation.id !== id)
      assert.deepEqual([one?.status, one?.awaits], ['pending', null])
    }
    await policy(null)
  })

  test('a service may ask for the confirmation, or do without, whatever the page says', async () => {
    await editService('plain', { verifyEmail: 'never' })
    assert.match(textOf(await book()), /You are booked/)
    await editPage({ verifyEmail: false })
    await editService('plain', { verifyEmail: 'always' })
    assert.match(textOf(await book()), /Confirm your e-mail address/)
    await editService('plain', { verifyEmail: 'site' })
    assert.match(textOf(await book()), /You are booked/)
    await editPage({ verifyEmail: true })
  })

  test('an address has at most three bookings that wait for its confirmation', async () => {
    for (let count = 0; count < 3; count += 1) assert.match(textOf(await book()), /Confirm your e-mail address/)
    assert.equal((await book()).status, 429)
    assert.equal((await reservationsOf(ada.email)).length, 3)
  })

  test('a forged or unknown link opens nothing', async () => {
    await book()
    const link = await verifyLink(ada.email)
    const [one] = await reservationsOf(ada.email)
    for (const path of [`${link.slice(0, -3)}x/`, '/manage/verify/x/', `/manage/verify/${one?.id}.x/`])
      assert.equal((await visitor.open(path)).status, 404, path)
    // The secret of a confirmation link does not open the manage page.
    assert.equal((await visitor.open(link.replace('/verify', ''))).status, 404)
  })

  /**
   * Chooses a time and enters the customer's details. Returns the summary page and the solution of its proof-of-work
   * challenge.
   */
  async function proved(): Promise<{ readonly summary: HtmlPage; readonly altcha: string }> {
    const month = await visitor.open(`/book/plain/?with=1&date=${site.nextDay()}`)
    const summary = await visitor.fillIn(await visitor.choose(month), ada)
    return { summary, altcha: await solutionOf(summary) }
  }
  /** Solves the proof-of-work challenge of a summary page; returns the solution as the page's script sends it. */
  async function solutionOf(summary: HtmlPage): Promise<string> {
    const escaped = /data-proof="([^"]*)"/.exec(summary.html)?.[1] ?? ''
    const challenge = JSON.parse(escaped.replaceAll('&quot;', '"'))
    const solution = await solveChallenge({ challenge, deriveKey })
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  }
  const confirmWith = (summary: HtmlPage, altcha: string) => {
    const form = summary.forms.find(({ buttons }) => buttons.some(({ value }) => value === 'book'))
    assert.ok(form)
    return visitor.send(form, { name: 'step', value: 'book' }, { altcha })
  }

  test('who proves work books at once, and who does not confirms the e-mail address', async () => {
    await editPage({ verifyEmail: false, proofOfWork: true })
    const { summary, altcha } = await proved()
    assert.match(summary.html, /<script src="\/book\/-\/proof\.js" defer>/)
    assert.doesNotMatch((await visitor.open('/book/')).html, /proof\.js/)
    assert.match(textOf(await confirmWith(summary, altcha)), /You are booked/)
    assert.match(textOf(await book()), /Confirm your e-mail address/)
  })

  test('a solution counts for its own form alone, and only as the service made the challenge', async () => {
    const [one, other] = [await proved(), await proved()]
    assert.match(textOf(await confirmWith(one.summary, other.altcha)), /Confirm your e-mail address/)
    const easy = JSON.parse(Buffer.from(other.altcha, 'base64').toString())
    easy.challenge.parameters.keyPrefix = 'ff'
    const forged = Buffer.from(JSON.stringify(easy)).toString('base64')
    assert.match(textOf(await confirmWith(other.summary, forged)), /Confirm your e-mail address/)
    const third = await proved()
    assert.match(textOf(await confirmWith(third.summary, 'bnVsbA==')), /Confirm your e-mail address/)
  })

  test('without proof and without mail nothing is booked, until the proof is there', async () => {
    await admin.post('/notifications/settings/edit/', { enabled: false })
    const refused = await book()
    assert.equal(refused.status, 422)
    assert.match(textOf(refused), /Please switch on JavaScript/)
    assert.deepEqual(await reservationsOf(ada.email), [])
    assert.match(textOf(await confirmWith(refused, await solutionOf(refused))), /You are booked/)
    await admin.post('/notifications/settings/edit/', { enabled: true })
    await editPage({ verifyEmail: true, proofOfWork: false })
  })

  const ask = async (email: string) => {
    const page = await visitor.open('/book/bookings/')
    return visitor.send(formAt(page, '/book/bookings/'), undefined, { email })
  }
  const bookingsLink = async (email: string, since: number) => {
    for (;;) {
      const found = mailServer.to(email).slice(since)
      const link = found.map((mail) => /\/manage\/bookings\/[\w-]{43}\//.exec(partOf(mail, 'text/plain') ?? '')?.[0])
      const [first] = link.filter((one) => one !== undefined)
      if (first !== undefined) return first
      await pause()
    }
  }
  const formAt = (page: HtmlPage, path: string) => {
    const form = page.forms.find(({ action }) => action.startsWith(path))
    assert.ok(form, `${path}: ${textOf(page)}`)
    return form
  }
  async function openBookings(email: string): Promise<HtmlPage> {
    const since = mailServer.to(email).length
    await ask(email)
    const opened = await visitor.post(await bookingsLink(email, since), new URLSearchParams())
    assert.equal(opened.status, 303)
    return visitor.open(String(opened.headers.location))
  }

  test('my bookings open by a mailed link, once, and lead to the page of each', async () => {
    await editPage({ verifyEmail: false })
    await book('plain')
    await book('group', '', { name: `Bob ${visitors}` })
    const since = mailServer.to(ada.email).length
    await ask(ada.email.toUpperCase())
    const link = await bookingsLink(ada.email, since)
    // Opening the link, as a mail scanner does, does not use it up.
    for (let count = 0; count < 2; count += 1) assert.match(textOf(await visitor.open(link)), /Show my bookings/)
    const opened = await visitor.post(link, new URLSearchParams())
    assert.match(
      String(opened.headers['set-cookie']),
      /Path=\/manage\/bookings\/; Max-Age=3600; HttpOnly; SameSite=Lax/,
    )
    const own = await visitor.open(String(opened.headers.location))
    assert.match(textOf(own), /Upcoming.*plain.*Ada \d+ · confirmed.*group.*Bob \d+ · confirmed/)
    assert.equal(own.headers['referrer-policy'], 'no-referrer')
    assert.equal((await visitor.open(link)).status, 404)
    assert.equal((await visitor.post(link, new URLSearchParams())).status, 404)
    const stranger = new BookingVisitor(site.server.url)
    for (const path of ['/manage/bookings/', '/manage/bookings/data.json', `/manage/bookings/${'x'.repeat(43)}/`])
      assert.equal((await stranger.open(path)).status, 404, path)
    const manage = /href="(\/manage\/r_[^"]+)"/.exec(own.html)?.[1] ?? ''
    assert.match(textOf(await visitor.open(manage)), /Your appointment/)
    const stored = JSON.stringify(await site.sql('select * from bookings_access'))
    assert.ok(!stored.includes(link.split('/')[3] ?? ''))
  })

  test('the answer is the same for every address, and nobody else gets a message', async () => {
    await book('plain')
    const [known, unknown] = [await ask(ada.email), await ask(`nobody${visitors}@example.org`)]
    const words = (page: HtmlPage) => textOf(page).replace(/\S+@example\.org/g, '')
    assert.deepEqual([known.status, words(known)], [unknown.status, words(unknown)])
    await bookingsLink(ada.email, 0)
    assert.equal(mailServer.to(`nobody${visitors}@example.org`).length, 0)
    assert.equal((await ask('not an address')).status, 422)
    const forged = new URLSearchParams({ form: 'x', email: ada.email })
    assert.equal((await visitor.post('/book/bookings/', forged)).status, 422)
  })

  test('an address gets at most two links within a minute', async () => {
    const minute = async () => Math.floor((await admin.serverNow()) / 60)
    // If a new minute of the clock begins between the requests, they are repeated with another address.
    for (;;) {
      await book('plain')
      const began = await minute()
      const answers = [await ask(ada.email), await ask(ada.email), await ask(ada.email)]
      if ((await minute()) === began) {
        assert.deepEqual(
          answers.map(({ status }) => status),
          [200, 200, 429],
        )
        return
      }
      ada = { ...ada, email: `next.${ada.email}` }
    }
  })

  test('the own data is downloaded, and its deletion asked for, which the desk decides', async () => {
    await book('plain')
    await admin.post('/customers/notes/add/', {
      customerId: (await site.sql('select id from customer where email = ?', [ada.email]))[0]?.id,
      text: 'Staff only',
    })
    const own = await openBookings(ada.email)
    const data = await visitor.open('/manage/bookings/data.json')
    assert.match(String(data.headers['content-disposition']), /attachment/)
    const [person, ...others] = JSON.parse(data.html).customers
    assert.deepEqual([person.email, person.reservations.length, others.length], [ada.email, 1, 0])
    assert.doesNotMatch(data.html, /Staff only/)
    const forged = new URLSearchParams({ form: 'x' })
    assert.equal((await visitor.post('/manage/bookings/deletion/', forged)).status, 403)
    const asked = await visitor.send(formAt(own, '/manage/bookings/deletion/'), undefined)
    assert.match(textOf(await visitor.open(String(asked.headers.location))), /You have asked for the deletion/)
    const requests = async () => Object((await admin.get('/customers/deletion-requests/')).body.response).requests
    const [request] = await requests()
    assert.deepEqual([request.name, request.email], [ada.name, ada.email])
    const exported = await admin.get(`/customers/export/?id=${request.customerId}`)
    assert.match(exported.text, /"deletionRequested": \d+/)
    assert.match(exported.text, /"kind": "browser"/)
    const decide = (body: object) => admin.post('/customers/deletion-requests/decline/', body)
    assert.equal((await decide({ id: request.customerId })).status, 200)
    assert.equal((await decide({ id: request.customerId })).status, 404)
    assert.deepEqual(await requests(), [])
    const again = await visitor.open('/manage/bookings/')
    await visitor.send(formAt(again, '/manage/bookings/deletion/'), undefined)
    await site.sql("update reservation set status = 'cancelled' where customer_id = ?", [request.customerId])
    assert.equal((await admin.post('/customers/erase/', { id: request.customerId })).status, 200)
    assert.deepEqual(await requests(), [])
    assert.deepEqual(await site.sql('select * from bookings_access where email_key = ?', [ada.email]), [])
    assert.equal((await visitor.open('/manage/bookings/')).status, 404)
  })

  test('leaving my bookings ends the access of the browser', async () => {
    await book('plain')
    const own = await openBookings(ada.email)
    const left = await visitor.send(formAt(own, '/manage/bookings/leave/'), undefined)
    assert.match(String(left.headers['set-cookie']), /Max-Age=0/)
    assert.deepEqual(await site.sql('select * from bookings_access where email_key = ?', [ada.email]), [])
    await editPage({ verifyEmail: true })
  })

  test('while mail is switched off, bookings count at once', async () => {
    await admin.post('/notifications/settings/edit/', { enabled: false })
    assert.match(textOf(await book()), /You are booked/)
    await admin.post('/notifications/settings/edit/', { enabled: true })
  })
})
