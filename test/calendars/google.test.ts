import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, describe, test } from 'node:test'
import { accountPlace, type CalendarAccount } from '../../src/calendars/accounts/account.ts'
import { listItems, listItemVersions } from '../../src/calendars/accounts/items.sql.ts'
import { openAccount } from '../../src/calendars/accounts/open-account.job.ts'
import { accessToken } from '../../src/calendars/oauth/access-token.job.ts'
import { endpointsOf } from '../../src/calendars/oauth/oauth.ts'
import { decrypt, encrypt } from '../../src/encryption.ts'
import { databasesHere } from '../support/databases.ts'
import { GoogleStandIn } from '../support/google.ts'
import { CalendarTestSite } from './calendar-test-site.ts'

const own = 'ana@example.com'
const berlin = 'Europe/Berlin'
const timed = (id: string, start: string, end: string, more: object = {}) => ({
  id,
  start: { dateTime: `${start}+02:00`, timeZone: berlin },
  end: { dateTime: `${end}+02:00`, timeZone: berlin },
  ...more,
})
const dentist = timed('dentist1', '2026-10-06T10:00:00', '2026-10-06T11:30:00')
const allDay = ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00']

for (const { kind, skip } of await databasesHere()) {
  describe(`calendars of Google, as its documentation describes them, on ${kind}`, { skip, timeout: 600_000 }, () => {
    let site: CalendarTestSite
    let google: GoogleStandIn
    before(async () => {
      google = await GoogleStandIn.open()
      site = await CalendarTestSite.open(kind, { grantUrls: { google: google.url } })
    })
    after(async () => {
      await site?.close()
      await google?.close()
    })
    afterEach(async () => {
      google.intercept = () => false
      await site.clear()
      google.clear()
    })

    /** Connects Ana's account, chooses calendars, by default her own, and reads them; returns the account's id. */
    const connect = async (...refs: string[]) => {
      const id = await site.connectGranted('google', google)
      await site.perform('calendars.accounts.choose', { id, refs: refs.length > 0 ? refs : [own] })
      await site.runDueJobs()
      return id
    }
    const calendar = async () => {
      const [row] = await site.storage.db.build.selectFrom('connected_calendar').select('id').execute()
      return site.calendar(row?.id ?? assert.fail('no calendar'))
    }

    test('a grant is exchanged once, and its calendars are listed, the own one first', async () => {
      const id = await site.connectGranted('google', google)
      const { found, fault, login } = await site.account(id)
      assert.deepEqual(
        [fault, login, found],
        [
          null,
          own,
          [
            { ref: own, name: 'Ana', writable: true },
            { ref: 'team@group.example', name: 'Team', writable: false },
          ],
        ],
      )
      const secret = await site.secretOf(id)
      assert.ok('refreshToken' in secret && secret.refreshToken.startsWith('1//'))
      for (const table of ['calendar_account', 'event', 'calendar_app'] as const) {
        const text = JSON.stringify(await site.storage.db.build.selectFrom(table).selectAll().execute())
        assert.doesNotMatch(text, /1\/\/|ya29\.|GOCSPX/)
      }
    })

    test('a grant that was refused, and one that was revoked later, say that access has ended', async () => {
      google.intercept = (_, response, { pathname }) => {
        if (pathname !== '/token') return false
        response.writeHead(400).end('{"error":"invalid_grant"}')
        return true
      }
      const refused = await site.connectGranted('google', google)
      assert.equal((await site.account(refused)).fault, 'sign_in_refused')
      await site.perform('calendars.accounts.remove', { id: refused })
      google.intercept = () => false
      google.put(own, dentist)
      await connect()
      assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30'])
      google.revoke()
      await site.pass(300)
      assert.equal((await calendar()).fault, 'sign_in_refused')
      // Events that were read earlier still block time. Two hours later the last successful reading is too old, so no
      // time of the provider can be booked.
      assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30'])
      await site.pass(2 * 3_600)
      assert.deepEqual(await site.starts('2026-10-06'), [])
    })

    test('access tokens are renewed, one request at a time, and a new refresh token replaces the one before', async () => {
      const id = await connect(own, 'team@group.example')
      const first = await site.secretOf(id)
      google.rotates = true
      google.expireTokens()
      await site.pass(300)
      assert.equal((await calendar()).fault, null)
      assert.equal(google.refreshes, 1)
      const second = await site.secretOf(id)
      assert.notDeepEqual(second, first)
      google.expireTokens()
      await site.pass(300)
      assert.deepEqual([(await calendar()).fault, google.refreshes], [null, 2])
      await site.pass(300)
      assert.equal(google.refreshes, 2)
    })

    test('a new refresh token is stored even if the key is rotated while it is requested', async () => {
      const id = await connect()
      const account = await site.account(id)
      const [oldKey, newKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)]
      const place = accountPlace(id)
      const rotate = async () => {
        const to = encrypt([newKey], decrypt([oldKey], account.sealed, place), place)
        await site.perform('calendars.accounts.reseal', { id, from: account.sealed, to })
      }
      google.intercept = (_, response, { pathname }) => {
        if (pathname !== '/token') return false
        const given = { access_token: 'ya29.next', refresh_token: '1//next', expires_in: 3_599 }
        void rotate().then(() => response.writeHead(200).end(JSON.stringify(given)))
        return true
      }
      // The access token of the first request has expired by then.
      site.now += 3_600
      const opening = { ...site.opening, findKey: async () => [newKey, oldKey] as const }
      const endpoints = endpointsOf('google', site.opening.grantUrls)
      assert.equal(await accessToken({ opening, account, endpoints, keys: [oldKey] }), 'ya29.next')
      const { sealed } = await site.account(id)
      assert.deepEqual(JSON.parse(decrypt([newKey], sealed, place)), { refreshToken: '1//next' })
    })

    test('a token that was refused after it was replaced does not lead to another request', async () => {
      await connect(own, 'team@group.example')
      google.expireTokens()
      const held: { team?: ServerResponse; own?: ServerResponse } = {}
      const refuse = (response: ServerResponse | undefined) => response?.writeHead(401).end('{}')
      google.intercept = (_, response, { pathname }) => {
        if (!pathname.endsWith('/events')) return false
        const isTeam = pathname.includes('team')
        // Both calendars are requested with the expired token. Once both requests have arrived, the one for Ana's own
        // calendar is refused; the one for the team's calendar is held back.
        if (google.refreshes === 0) {
          held[isTeam ? 'team' : 'own'] = response
          if (held.team && held.own) refuse(held.own)
          return true
        }
        // When Ana's own calendar is requested with the new token, the held request, which has the old token, is
        // refused.
        if (!isTeam) refuse(held.team)
        return false
      }
      await site.pass(300)
      assert.ok(held.team)
      assert.deepEqual([(await calendar()).fault, google.refreshes], [null, 1])
    })

    test('a new sign-in does not wait for a token request of the sign-in before it', async () => {
      const id = await connect()
      const listed = async (account: CalendarAccount) => (await openAccount(site.opening, account)).listCalendars()
      google.expireTokens()
      const held = Promise.withResolvers<ServerResponse>()
      let tokenRequests = 0
      google.intercept = (_, response, { pathname }) => {
        if (pathname !== '/token') return false
        tokenRequests += 1
        if (tokenRequests === 1) held.resolve(response)
        return tokenRequests === 1
      }
      const late = assert.rejects(listed(await site.account(id)), { code: 'sign_in_refused' })
      const response = await held.promise
      await site.signInAgain(id, google)
      const signedIn = await site.account(id)
      assert.equal((await listed(signedIn)).length, 2)
      response.writeHead(400).end('{"error":"invalid_grant"}')
      await late
      assert.equal((await listed(signedIn)).length, 2)
      assert.equal(tokenRequests, 2)
    })

    test('jobs that loaded an account before and after a new sign-in exchange its code once', async () => {
      const id = await connect()
      const before = await site.account(id)
      await site.signInAgain(id, google)
      google.expireTokens()
      let tokenRequests = 0
      google.intercept = (_request, _response, { pathname }) => {
        if (pathname === '/token') tokenRequests += 1
        return false
      }
      const accounts = [before, await site.account(id)]
      const clients = await Promise.all(accounts.map((account) => openAccount(site.opening, account)))
      const found = await Promise.all(clients.map((client) => client.listCalendars()))
      assert.deepEqual([found.map(({ length }) => length), tokenRequests], [[2, 2], 1])
    })

    test('events block, and only what changed is read again, without titles', async () => {
      google.put(own, dentist)
      google.pageSize = 2
      for (let day = 10; day < 15; day += 1)
        google.put(own, timed(`other${day}`, `2026-10-${day}T08:00:00`, `2026-10-${day}T09:00:00`))
      await connect()
      assert.equal((await site.busy()).length, 6)
      assert.ok(!(await site.starts('2026-10-06')).includes('10:00'))
      google.requests.length = 0
      await site.pass(300)
      assert.deepEqual(google.requests, [`GET /calendar/v3/calendars/${own}/events`])
      google.put(own, timed('dentist1', '2026-10-06T14:00:00', '2026-10-06T15:00:00'))
      google.remove(own, 'other10')
      await site.pass(300)
      assert.deepEqual((await site.busy()).slice(0, 2), ['2026-10-06T14:00 15:00', '2026-10-11T08:00 09:00'])
      assert.ok(google.fields.every((fields) => !fields.includes('summary') || fields.includes('summaryOverride')))
      for (const table of ['busy', 'connected_calendar', 'calendar_item', 'event'] as const) {
        const text = JSON.stringify(await site.storage.db.build.selectFrom(table).selectAll().execute())
        assert.doesNotMatch(text, /A secret title/)
      }
    })

    test('what an event is shown as decides whether it blocks', async () => {
      const kinds = [
        ['free', { transparency: 'transparent' }],
        ['place', { eventType: 'workingLocation' }],
        ['declined', { attendees: [{ self: true, responseStatus: 'declined' }] }],
        ['away', { eventType: 'outOfOffice' }],
        ['maybe', { status: 'tentative' }],
        ['focus', { eventType: 'focusTime' }],
      ] as const
      for (const [index, [name, more]] of kinds.entries())
        google.put(
          own,
          timed(`kind${index}`, `2026-10-06T${10 + index}:00:00`, `2026-10-06T${10 + index}:30:00`, { ...more, name }),
        )
      await connect()
      assert.deepEqual(await site.busy(), [
        '2026-10-06T13:00 13:30',
        '2026-10-06T14:00 14:30',
        '2026-10-06T15:00 15:30',
      ])
      const { id } = await calendar()
      await site.perform('calendars.edit', { id, blocking: { free: true, tentative: false, outOfOffice: false } })
      await site.runDueJobs()
      assert.deepEqual(await site.busy(), [
        '2026-10-06T10:00 10:30',
        '2026-10-06T11:00 11:30',
        '2026-10-06T12:00 12:30',
        '2026-10-06T15:00 15:30',
      ])
    })

    test('a series repeats by the clock of its zone; instances are moved and cancelled; days are those of the provider', async () => {
      google.put(
        own,
        timed('series1', '2026-10-19T10:00:00', '2026-10-19T11:00:00', {
          recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE;TZID=Europe/Berlin:20261109T100000'],
        }),
      )
      const instance = (id: string, original: string, more: object) => ({
        ...{ id, recurringEventId: 'series1', iCalUID: 'series1@google.com' },
        ...{ originalStartTime: { dateTime: original, timeZone: berlin }, ...more },
      })
      await connect()
      // Daylight saving time ends on 25 October: an event at 10:00 local time stays at 10:00.
      assert.deepEqual(await site.busy(), [
        '2026-10-19T10:00 11:00',
        '2026-10-26T10:00 11:00',
        '2026-11-02T10:00 11:00',
      ])
      const moved = timed('series1_20261019T080000Z', '2026-10-19T15:00:00', '2026-10-19T16:00:00')
      google.put(own, instance(moved.id, '2026-10-19T10:00:00+02:00', moved))
      google.put(own, instance('series1_20261026T090000Z', '2026-10-26T10:00:00+01:00', { status: 'cancelled' }))
      google.put(own, { id: 'holiday1', start: { date: '2026-10-20' }, end: { date: '2026-10-21' } })
      await site.pass(300)
      assert.deepEqual(await site.busy(), [
        '2026-10-19T15:00 16:00',
        '2026-10-20T00:00 00:00',
        '2026-11-02T10:00 11:00',
      ])
      google.remove(own, 'series1')
      google.remove(own, 'series1_20261019T080000Z')
      google.remove(own, 'series1_20261026T090000Z')
      await site.pass(300)
      assert.deepEqual(await site.busy(), ['2026-10-20T00:00 00:00'])
    })

    test('an expired sync token leads to a complete reading, which finds what was deleted meanwhile', async () => {
      google.put(own, dentist)
      google.put(own, timed('second', '2026-10-07T10:00:00', '2026-10-07T11:00:00'))
      await connect()
      google.calendars.get(own)?.events.delete('dentist1')
      google.put(own, timed('third', '2026-10-08T10:00:00', '2026-10-08T11:00:00'))
      google.expiredBelow = 1_000_000
      await site.pass(300)
      assert.deepEqual(await site.busy(), ['2026-10-07T10:00 11:00', '2026-10-08T10:00 11:00'])
    })

    test('limits, failures and answers that make no sense change nothing, and are named', async () => {
      google.put(own, dentist)
      await connect()
      const answers = [
        ['server_error', 429, '{}'],
        ['server_error', 403, '{"error":{"errors":[{"reason": "userRateLimitExceeded"}]}}'],
        ['sign_in_refused', 403, '{"error":{"errors":[{"reason": "forbidden"}]}}'],
        ['not_found', 404, '{}'],
        ['server_error', 503, ''],
        ['malformed', 200, '<!doctype html>'],
        ['malformed', 200, '{"items":[]}'],
        ['malformed', 200, '{"items":[{"id":"x","etag":"1","start":{"dateTime":"soon"}}],"nextSyncToken":"9"}'],
      ] as const
      for (const [fault, status, body] of answers) {
        google.intercept = (_, response, { pathname }) => {
          if (!pathname.includes('/events')) return false
          response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '60' }).end(body)
          return true
        }
        site.now = (await calendar()).nextAt
        await site.runDueJobs()
        assert.equal((await calendar()).fault, fault, `${status} ${body}`)
        assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30'])
      }
      google.intercept = () => false
      site.now = (await calendar()).nextAt
      await site.runDueJobs()
      assert.equal((await calendar()).fault, null)
    })

    test('events with a title open time', async () => {
      google.put(own, timed('open1', '2026-10-06T18:00:00', '2026-10-06T20:00:00', { summary: 'Open [price=60]' }))
      google.put(own, timed('other1', '2026-10-06T10:00:00', '2026-10-06T11:00:00', { summary: 'Dentist' }))
      await connect()
      const { id } = await calendar()
      await site.perform('calendars.edit', { id, opening: { by: 'title', text: 'open' } })
      await site.runDueJobs()
      assert.deepEqual(
        [await site.starts('2026-10-06'), await site.busy()],
        [[...allDay.filter((start) => start !== '10:00'), '18:00', '19:00'], ['2026-10-06T10:00 11:00']],
      )
    })

    test('an invitation opens time only after it was accepted', async () => {
      const organizer = { email: 'boss@example.com' }
      const group = { email: 'team@example.com', responseStatus: 'needsAction' }
      const invited = (responseStatus: string) => ({ organizer, attendees: [group, { self: true, responseStatus }] })
      const events = [
        invited('needsAction'),
        invited('declined'),
        invited('tentative'),
        { ...invited('needsAction'), transparency: 'transparent' },
        { status: 'tentative', transparency: 'transparent' },
        { eventType: 'fromGmail' },
        { organizer, attendees: [group] },
        { organizer },
        { attendees: [group] },
        invited('accepted'),
      ]
      for (const [index, more] of events.entries()) {
        const day = `2026-10-${12 + index}`
        const invitation = { ...more, summary: 'Open [price=0]' }
        google.put(own, timed(`invited${index}`, `${day}T18:00:00`, `${day}T19:00:00`, invitation))
      }
      await connect()
      const { id } = await calendar()
      await site.perform('calendars.edit', { id, opening: { by: 'title', text: 'open' } })
      await site.runDueJobs()
      assert.equal((await calendar()).content?.openings, 2)
      // A node of an earlier version stores an opening for every invitation.
      const { revision, nextAt, content: stored } = await calendar()
      const content = stored ?? assert.fail()
      const items = await listItems(site.storage.db, id)
      const opening = [...items.values()].find((text) => text.includes('OPENING')) ?? assert.fail()
      const versions = await listItemVersions(site.storage.db, id)
      await site.perform('calendars.store', {
        ...{ id, revision, nextAt },
        content: { ...content, basis: content.basis.replace('[4,', '[3,') },
        window: { start: site.now, end: site.now + 30 * 86_400 },
        times: [],
        opened: { openings: [], faults: [] },
        items: {
          since: content.cursor,
          changed: [...versions].map(([key, etag]) => ({ key, etag, content: opening })),
          removed: [],
        },
      })
      await site.pass(300)
      assert.equal((await calendar()).content?.openings, 2)
    })
  })
}
