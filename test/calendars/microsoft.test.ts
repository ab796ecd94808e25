import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { databasesHere } from '../support/databases.ts'
import { MicrosoftStandIn } from '../support/microsoft.ts'
import { CalendarTestSite } from './calendar-test-site.ts'

const own = 'AAA='
const timed = (id: string, start: string, end: string, more: object = {}) => ({
  id,
  start: { dateTime: `${start}.0000000`, timeZone: 'UTC' },
  end: { dateTime: `${end}.0000000`, timeZone: 'UTC' },
  ...more,
})
// The event lasts from 10:00 to 11:30 in Berlin; times of Microsoft Graph are in UTC.
const dentist = timed('dentist=', '2026-10-06T08:00:00', '2026-10-06T09:30:00')

for (const { kind, skip } of await databasesHere()) {
  describe(`calendars of Microsoft 365, as its documentation describes them, on ${kind}`, {
    skip,
    timeout: 600_000,
  }, () => {
    let site: CalendarTestSite
    let graph: MicrosoftStandIn
    before(async () => {
      graph = await MicrosoftStandIn.open()
      site = await CalendarTestSite.open(kind, { grantUrls: { microsoft: graph.url } })
    })
    after(async () => {
      await site?.close()
      await graph?.close()
    })
    afterEach(async () => {
      graph.intercept = () => false
      await site.clear()
      graph.clear()
    })

    const connect = async () => {
      const id = await site.connectGranted('microsoft', graph)
      await site.perform('calendars.accounts.choose', { id, refs: [own] })
      await site.runDueJobs()
      return id
    }
    const calendar = async () => {
      const [row] = await site.storage.db.build.selectFrom('connected_calendar').select('id').execute()
      return site.calendar(row?.id ?? assert.fail('no calendar'))
    }

    test('calendars are listed page by page, and each refresh token replaces the one before', async () => {
      graph.rotates = true
      const id = await connect()
      const { found, fault, login } = await site.account(id)
      assert.equal(login, 'ana@example.com')
      assert.deepEqual(
        [fault, found.map(({ name, writable }) => [name, writable])],
        [
          null,
          [
            ['Calendar', true],
            ['Team', false],
          ],
        ],
      )
      const first = await site.secretOf(id)
      graph.expireTokens()
      await site.pass(300)
      assert.equal((await calendar()).fault, null)
      assert.notDeepEqual(await site.secretOf(id), first)
      graph.revoke()
      await site.pass(300)
      assert.equal((await calendar()).fault, 'sign_in_refused')
    })

    test('events block by what they are shown as, and only what changed is read again', async () => {
      const shown = ['busy', 'free', 'tentative', 'oof', 'workingElsewhere']
      for (const [index, showAs] of shown.entries())
        graph.put(
          timed(`event${index}=`, `2026-10-06T0${index + 4}:00:00`, `2026-10-06T0${index + 4}:30:00`, { showAs }),
        )
      graph.put(timed('cancelled=', '2026-10-07T08:00:00', '2026-10-07T09:00:00', { isCancelled: true }))
      graph.put(timed('day=', '2026-10-09T00:00:00', '2026-10-10T00:00:00', { isAllDay: true }))
      graph.pageSize = 2
      await connect()
      assert.deepEqual(await site.busy(), [
        '2026-10-06T06:00 06:30',
        '2026-10-06T08:00 08:30',
        '2026-10-06T09:00 09:30',
        '2026-10-09T00:00 00:00',
      ])
      graph.requests.length = 0
      await site.pass(300)
      assert.equal(graph.requests.length, 1)
      graph.put(dentist)
      graph.remove('event0=')
      await site.pass(300)
      assert.deepEqual((await site.busy()).slice(0, 3), [
        '2026-10-06T08:00 08:30',
        '2026-10-06T09:00 09:30',
        '2026-10-06T10:00 11:30',
      ])
      for (const table of ['busy', 'connected_calendar', 'calendar_item', 'event'] as const) {
        const text = JSON.stringify(await site.storage.db.build.selectFrom(table).selectAll().execute())
        assert.doesNotMatch(text, /A secret title/)
      }
    })

    test('instances of a series have what they share with it', async () => {
      graph.put(
        timed('master=', '2026-10-06T08:00:00', '2026-10-06T09:00:00', { type: 'seriesMaster', showAs: 'free' }),
      )
      for (const day of ['06', '13'])
        graph.put(
          timed(`occurrence${day}=`, `2026-10-${day}T08:00:00`, `2026-10-${day}T09:00:00`, {
            ...{ type: 'occurrence', seriesMasterId: 'master=' },
          }),
        )
      graph.put(
        timed('exception=', '2026-10-20T12:00:00', '2026-10-20T13:00:00', {
          ...{ type: 'exception', seriesMasterId: 'master=', showAs: 'busy' },
        }),
      )
      await connect()
      assert.deepEqual(await site.busy(), ['2026-10-20T14:00 15:00'])
    })

    test('the listed interval always contains the one in which events occupy time', async () => {
      const [day, window] = [86_400, 740 * 86_400]
      // The clock is set so that the end of the interval in which events occupy time (`coveredUntil`), which advances
      // by 30 days at once, advances after 28.5 days. The calendar is listed completely again only after 30 days.
      site.now += 30 * day - ((site.now + window) % (30 * day)) + 1.5 * day
      await site.perform('services.set', { id: await site.service('long'), settings: { horizonDays: 3_660 } })
      let listedUntil = 0
      graph.intercept = (_, __, { searchParams }) => {
        listedUntil = Date.parse(searchParams.get('endDateTime') ?? '') / 1_000 || listedUntil
        return false
      }
      await connect()
      const first = (await calendar()).coveredUntil
      for (let count = 0; count < 31; count += 1) {
        await site.pass(day)
        const { coveredUntil } = await calendar()
        assert.ok(coveredUntil <= listedUntil, `after ${count + 1} days`)
      }
      assert.equal((await calendar()).coveredUntil - first, 30 * day)
      await site.perform('services.set', { id: await site.service('long'), settings: { horizonDays: 60 } })
    })

    const series = (days: readonly string[], master: object = {}) => {
      graph.put(timed('master=', '2026-10-06T08:00:00', '2026-10-06T09:00:00', { type: 'seriesMaster', ...master }))
      for (const day of days)
        graph.put(
          timed(`occurrence${day}=`, `2026-10-${day}T08:00:00`, `2026-10-${day}T09:00:00`, {
            ...{ type: 'occurrence', seriesMasterId: 'master=' },
          }),
        )
    }

    test('deleted occurrences, which lists of changes leave out, and deleted series no longer block', async () => {
      series(['06', '13', '20'])
      graph.put(timed('other=', '2026-10-07T08:00:00', '2026-10-07T09:00:00'))
      await connect()
      assert.equal((await site.busy()).length, 4)
      graph.removeOccurrence('occurrence13=')
      await site.pass(300)
      const rest = ['2026-10-06T10:00 11:00', '2026-10-07T10:00 11:00', '2026-10-20T10:00 11:00']
      assert.deepEqual(await site.busy(), rest)
      // After a complete reading, the next one requests only the changes.
      graph.requests.length = 0
      await site.pass(300)
      assert.equal(graph.requests.length, 1)
      // Microsoft Graph reports the removal of the series' master alone, not of its occurrences.
      graph.events.delete('occurrence06=')
      graph.events.delete('occurrence20=')
      graph.remove('master=')
      await site.pass(300)
      assert.deepEqual(await site.busy(), ['2026-10-07T10:00 11:00'])
    })

    test('occurrences change with their series, also when its master is not in the view', async () => {
      graph.mastersOutside.add('master=')
      series(['13', '20'], { showAs: 'free' })
      await connect()
      assert.deepEqual(await site.busy(), [])
      series(['13', '20'], { showAs: 'busy' })
      await site.pass(300)
      assert.deepEqual(await site.busy(), ['2026-10-13T10:00 11:00', '2026-10-20T10:00 11:00'])
      // As if the series were deleted between two requests of the service: the list of changes still contains the
      // series, but its master no longer exists when the service requests it.
      graph.removeOccurrence('occurrence20=')
      graph.events.delete('master=')
      await site.pass(300)
      assert.equal((await calendar()).fault, null)
    })

    test('an expired delta link, and an interval that has moved along, lead to a complete reading', async () => {
      graph.put(dentist)
      graph.put(timed('second=', '2026-12-20T08:00:00', '2026-12-20T09:00:00'))
      await connect()
      graph.events.delete('dentist=')
      graph.put(timed('third=', '2026-10-08T08:00:00', '2026-10-08T09:00:00'))
      graph.expiredBelow = 1_000_000
      await site.pass(300)
      assert.deepEqual(await site.busy(), ['2026-10-08T10:00 11:00', '2026-12-20T09:00 10:00'])
      graph.expiredBelow = 0
      graph.requests.length = 0
      await site.pass(31 * 86_400)
      const [day] = (await calendar()).content?.cursor?.split(' ') ?? []
      assert.equal(Number(day), Math.floor(site.now / 86_400))
      assert.equal((await calendar()).fault, null)
    })

    test('answers that make no sense, and links that lead elsewhere, change nothing', async () => {
      graph.put(dentist)
      await connect()
      const answers = [
        ['server_error', 429, '{}'],
        ['server_error', 503, '{}'],
        ['sign_in_refused', 403, '{"error":{"code":"ErrorAccessDenied"}}'],
        ['malformed', 200, '{"value":[]}'],
        ['malformed', 200, '{"value":[],"@odata.nextLink":"https://evil.example/steal"}'],
        [
          'malformed',
          200,
          '{"value":[{"id":"x","start":{"dateTime":"soon"},"end":{"dateTime":"later"}}],"@odata.deltaLink":"x"}',
        ],
      ] as const
      for (const [fault, status, body] of answers) {
        graph.intercept = (_, response, { pathname }) => {
          if (!pathname.includes('/delta')) return false
          response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '60' }).end(body)
          return true
        }
        site.now = (await calendar()).nextAt
        await site.runDueJobs()
        assert.equal((await calendar()).fault, fault, `${status} ${body}`)
        assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30'])
      }
    })

    test('events in a category open time', async () => {
      graph.put(
        timed('open=', '2026-10-06T16:00:00', '2026-10-06T18:00:00', {
          ...{ subject: 'Anything [capacity=2]', categories: ['Red', 'Consultation'] },
        }),
      )
      await connect()
      const { id } = await calendar()
      await site.perform('calendars.edit', { id, opening: { by: 'category', text: 'consultation' } })
      await site.runDueJobs()
      assert.deepEqual((await site.starts('2026-10-06')).slice(-2), ['18:00', '19:00'])
      assert.deepEqual((await site.slots('2026-10-06')).at(-1)?.overrides, { capacity: 2 })
    })

    test('an invitation opens time only after it was accepted, also one to a series', async () => {
      const shown = { subject: 'Open [price=0]', showAs: 'free' }
      const invited = (response: string) => ({ ...shown, responseStatus: { response } })
      for (const [index, response] of ['notResponded', 'declined', 'tentativelyAccepted', 'accepted'].entries()) {
        const day = `2026-10-0${5 + index}`
        graph.put(timed(`invited${index}=`, `${day}T16:00:00`, `${day}T17:00:00`, invited(response)))
      }
      series(['13', '20'], invited('notResponded'))
      graph.mastersOutside.add('master=')
      await connect()
      const { id } = await calendar()
      await site.perform('calendars.edit', { id, opening: { by: 'title', text: 'open' } })
      await site.runDueJobs()
      assert.equal((await calendar()).content?.openings, 1)
    })
  })
}
