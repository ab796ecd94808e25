import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { listWatches } from '../../src/calendars/push/watches.sql.ts'
import { insertSignedInUser } from '../support/browser-client.ts'
import { ana } from '../support/clinic.ts'
import { databasesHere } from '../support/databases.ts'
import { GoogleStandIn } from '../support/google.ts'
import { MicrosoftStandIn } from '../support/microsoft.ts'
import type { ChangeNotification, OAuthStandIn } from '../support/oauth-stand-in.ts'
import { askRaw } from '../support/raw.ts'
import { hangLimit } from '../support/scale.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'
import { whenServed } from '../support/when-served.ts'
import { CalendarTestSite } from './calendar-test-site.ts'

const own = 'ana@example.com'
const hour = 3_600
const events = `/calendar/v3/calendars/${own}/events`
const timed = (id: string, start: string, end: string) => ({
  id,
  start: { dateTime: `${start}+02:00` },
  end: { dateTime: `${end}+02:00` },
})

for (const { kind, skip } of await databasesHere()) {
  describe(`calendars whose system reports changes, on ${kind}`, { skip, timeout: 600_000 }, () => {
    let calendarSite: CalendarTestSite
    let google: GoogleStandIn
    before(async () => {
      google = await GoogleStandIn.open()
      calendarSite = await CalendarTestSite.open(kind, { grantUrls: { google: google.url } })
    })
    after(async () => {
      await calendarSite?.close()
      await google?.close()
    })
    afterEach(async () => {
      google.intercept = () => false
      await calendarSite.clear()
      google.clear()
    })

    const connect = async () => {
      const id = await calendarSite.connectGranted('google', google)
      google.requests.length = 0
      await calendarSite.perform('calendars.accounts.choose', { id, refs: [own] })
      await calendarSite.runDueJobs()
    }
    const calendar = async () => {
      const [row] = await calendarSite.storage.db.build.selectFrom('connected_calendar').select('id').execute()
      return calendarSite.calendar(row?.id ?? assert.fail('no calendar'))
    }
    const watch = async () => {
      const [found] = await listWatches(calendarSite.storage.db, [(await calendar()).id])
      return found ?? assert.fail('no watch')
    }

    test('changes are asked for before the first reading, to a secret address for less than a week', async () => {
      await connect()
      assert.deepEqual(google.requests, [`POST ${events}/watch`, `GET ${events}`])
      const [reported = assert.fail('no watch')] = google.subscriptions.values()
      assert.equal(reported.address, 'https://clinic.example:8443/calendar-changes/google')
      assert.equal(reported.secret.length, 43)
      assert.ok(
        reported.expiresAt > calendarSite.now + 24 * hour && reported.expiresAt < calendarSite.now + 7 * 24 * hour,
      )
      for (const table of ['calendar_watch', 'connected_calendar', 'event', 'job'] as const) {
        const text = JSON.stringify(await calendarSite.storage.db.build.selectFrom(table).selectAll().execute())
        assert.ok(!text.includes(reported.secret), table)
      }
      assert.equal((await watch()).expiresAt, reported.expiresAt)
    })

    test('a watch is replaced before it ends, and the one before is ended', async () => {
      await connect()
      const first = await watch()
      google.requests.length = 0
      await calendarSite.pass(2 * hour)
      assert.deepEqual(google.requests, [`GET ${events}`])
      calendarSite.now = first.expiresAt - 11 * hour
      google.requests.length = 0
      await calendarSite.runDueJobs()
      assert.deepEqual(google.requests, [`POST ${events}/watch`, 'POST /calendar/v3/channels/stop', `GET ${events}`])
      const second = await watch()
      assert.deepEqual([google.subscriptions.size, second.secretHash === first.secretHash], [1, false])
      assert.ok(second.expiresAt > first.expiresAt)
      await calendarSite.perform('calendars.remove', { id: second.calendarId })
      assert.deepEqual(await listWatches(calendarSite.storage.db, [second.calendarId]), [])
    })

    test('a system that refuses to report is read as before, and asked again after hours', async () => {
      google.put(own, timed('dentist1', '2026-10-06T10:00:00', '2026-10-06T11:30:00'))
      google.intercept = (_, response, { pathname }) => {
        if (!pathname.endsWith('/watch')) return false
        response.writeHead(401).end('{"error":{"errors":[{"reason":"push.webhookUrlUnauthorized"}]}}')
        return true
      }
      await connect()
      assert.deepEqual([(await calendar()).fault, await calendarSite.busy()], [null, ['2026-10-06T10:00 11:30']])
      assert.deepEqual([(await watch()).fault, (await watch()).expiresAt], ['sign_in_refused', 0])
      google.intercept = () => false
      await calendarSite.pass(5 * hour)
      assert.equal(google.subscriptions.size, 0)
      await calendarSite.pass(hour + 1)
      assert.deepEqual([google.subscriptions.size, (await watch()).fault], [1, null])
    })

    test('a reported change is read at once, even one that comes while the calendar is read', async () => {
      await connect()
      const { secretHash } = await watch()
      const report = () => calendarSite.perform('calendars.changed', { secretHashes: [secretHash, 'another'] })
      google.put(own, timed('dentist1', '2026-10-06T10:00:00', '2026-10-06T11:30:00'))
      await report()
      await calendarSite.runDueJobs()
      assert.deepEqual(await calendarSite.busy(), ['2026-10-06T10:00 11:30'])
      for (const isChanged of [true, false]) {
        if (isChanged) google.put(own, timed('late1', '2026-10-07T10:00:00', '2026-10-07T11:00:00'))
        let readings = 0
        let reported: Promise<unknown> = Promise.resolve()
        google.intercept = (_, response, url) => {
          if (url.pathname !== '/calendar/v3/calendars/ana%40example.com/events') return false
          readings += 1
          if (readings > 1) return false
          // The list of events is answered only after the report of the change has been stored.
          reported = report().then(() => {
            const items = isChanged ? google.events(own).slice(-1) : []
            google.put(
              own,
              timed('meanwhile1', '2026-10-08T10:00:00', isChanged ? '2026-10-08T11:00:00' : '2026-10-08T12:00:00'),
            )
            const body = { items, nextSyncToken: url.searchParams.get('syncToken') }
            response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
          })
          return true
        }
        await report()
        await calendarSite.runDueJobs()
        await reported
        assert.equal(readings, 2)
        assert.equal((await calendar()).nextAt, calendarSite.now + 300)
        assert.ok((await calendarSite.busy()).includes(isChanged ? '2026-10-08T10:00 11:00' : '2026-10-08T10:00 12:00'))
      }
    })

    test('a calendar that fails waits for its next attempt, whatever is reported', async () => {
      await connect()
      google.intercept = (_, response) => Boolean(response.writeHead(503).end())
      await calendarSite.pass(300)
      const { nextAt, failures } = await calendar()
      assert.equal(failures, 1)
      await calendarSite.perform('calendars.changed', { secretHashes: [(await watch()).secretHash] })
      assert.equal((await calendar()).nextAt, nextAt)
    })
  })
}

onEachDatabase((open) => {
  let site: TestSite
  let google: GoogleStandIn
  let microsoft: MicrosoftStandIn
  before(async () => {
    google = await GoogleStandIn.open()
    microsoft = await MicrosoftStandIn.open()
    site = await open({
      env: {
        DAYBOOK_SECRET_KEY: '5e'.repeat(32),
        DAYBOOK_PUBLIC_URL: 'https://clinic.example',
        DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8',
        DAYBOOK_GOOGLE_URL: google.url,
        DAYBOOK_MICROSOFT_URL: microsoft.url,
      },
    })
    // Both systems send a report again that is answered with 5xx.
    for (const system of [google, microsoft])
      system.deliver = async (report) => (await whenServed(() => sent(report))).text
  })
  after(async () => {
    await site?.close()
    await google?.close()
    await microsoft?.close()
  })

  const sent = ({ address, headers, body }: ChangeNotification) =>
    askRaw(address.replace('https://clinic.example', site.server.url), 'POST', Object.entries(headers).flat(), body)
  const hasSlot = async (time: string): Promise<boolean> => {
    const slots = await site.slots({ service: 'plain', provider: ana, on: '2026-10-06' })
    return slots.some(({ start }) => start === Date.parse(`2026-10-06T${time}:00+02:00`) / 1_000)
  }
  const until = async (holds: () => Promise<boolean> | boolean): Promise<number> => {
    const since = performance.now()
    while (!(await holds())) {
      assert.ok(performance.now() - since < hangLimit, 'the service does not get there')
      await pause(20)
    }
    return performance.now() - since
  }
  /** Connects an account as if a user had agreed on the consent page, and chooses calendars of the account. */
  const connect = async (kind: 'google' | 'microsoft', system: OAuthStandIn, refs: readonly string[]) => {
    const { browser } = await insertSignedInUser(site, 'admin')
    const { clientId, clientSecret } = system
    assert.equal((await browser.post('/calendar-apps/set/', { kind, clientId, clientSecret })).status, 200)
    const { body } = await browser.post('/calendar-accounts/authorize/', { kind, providerId: ana })
    const page = await (await fetch(String(body.response.url))).text()
    const back = new URL(/href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '')
    const { state, code } = Object.fromEntries(back.searchParams)
    assert.equal((await browser.post('/calendar-accounts/authorized/', { state, code })).status, 200)
    const account = async () => {
      const { body: list } = await browser.get(`/calendar-accounts/?providerId=${ana}`)
      return Object(list.response).items.find((one: { kind: string }) => one.kind === kind)
    }
    await until(async () => (await account()).calendars.length > 0)
    const choice = { id: (await account()).id, refs }
    assert.equal((await browser.post('/calendar-accounts/choose/', choice)).status, 200)
    await until(() => system.subscriptions.size === 1)
    const shown = async () => {
      const { body: list } = await browser.get(`/calendars/?providerId=${ana}`)
      return Object(list.response).items.find((one: { kind: string }) => one.kind === kind)
    }
    await until(async () => (await shown()).state === 'ok')
    assert.equal((await shown()).push, 'on')
  }

  test('a change in Google Calendar is seen in availability within five seconds', async (t) => {
    await connect('google', google, [own])
    assert.ok(await hasSlot('10:00'))
    google.put(own, timed('dentist1', '2026-10-06T10:00:00', '2026-10-06T11:30:00'))
    const milliseconds = await until(async () => !(await hasSlot('10:00')))
    t.diagnostic(`seen after ${Math.round(milliseconds)} ms`)
    assert.ok(milliseconds < 5_000, `${milliseconds} ms`)
    google.remove(own, 'dentist1')
    assert.ok((await until(() => hasSlot('10:00'))) < 5_000)
  })

  test('a change in Microsoft 365 is seen in availability within five seconds', async (t) => {
    await connect('microsoft', microsoft, ['AAA='])
    assert.ok(await hasSlot('14:00'))
    const at = (time: string) => ({ dateTime: `2026-10-06T${time}:00.0000000`, timeZone: 'UTC' })
    microsoft.put({ id: 'AAMkDentist=', start: at('12:00'), end: at('13:00') })
    const milliseconds = await until(async () => !(await hasSlot('14:00')))
    t.diagnostic(`seen after ${Math.round(milliseconds)} ms`)
    assert.ok(milliseconds < 5_000, `${milliseconds} ms`)
  })

  test('reports of strangers change nothing, and a token comes back as plain text', async () => {
    const due = () => site.sql('select next_at from connected_calendar order by id')
    const before = await due()
    const post = (path: string, headers: readonly string[], body = '') =>
      askRaw(`${site.server.url}/calendar-changes/${path}`, 'POST', headers, body)
    const report = (state: unknown) => JSON.stringify({ value: [{ clientState: state }] })
    for (const [path, headers, body] of [
      ['google', [], ''],
      ['google', ['x-goog-channel-token', 'x'.repeat(43)], ''],
      ['microsoft', [], ''],
      ['microsoft', [], '{"value":7}'],
      ['microsoft', [], report('x'.repeat(43))],
      ['microsoft', [], report(null)],
      ['other', [], ''],
    ] as const)
      assert.equal((await post(path, headers, body)).status, 404, `${path} ${body}`)
    assert.equal((await post('microsoft', [], ' '.repeat(300_000))).status, 413)
    const echoed = await post('microsoft?validationToken=%3Cscript%3Ealert(1)%3C%2Fscript%3E', [])
    assert.deepEqual([echoed.status, echoed.text], [200, '<script>alert(1)</script>'])
    assert.match(echoed.headers.get('content-type') ?? '', /^text\/plain/)
    assert.equal(echoed.headers.get('x-content-type-options'), 'nosniff')
    assert.deepEqual(await due(), before)
  })
})
