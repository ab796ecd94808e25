import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, describe, test } from 'node:test'
import { listCalendars } from '../../src/calendars/calendars.sql.ts'
import { ben } from '../support/clinic.ts'
import { databasesHere } from '../support/databases.ts'
import { hasRadicale, Radicale, startSelfSigned } from '../support/radicale.ts'
import { CalendarTestSite, calendarFile } from './calendar-test-site.ts'

const missing = hasRadicale() ? false : 'Radicale is not installed'
const dentist = ['dentist', '20261006T100000', '20261006T113000'] as const
const allDay = ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00']

for (const { kind, skip } of await databasesHere()) {
  describe(`calendars of a CalDAV account on ${kind}`, { skip: skip || missing, timeout: 600_000 }, () => {
    let site: CalendarTestSite
    let server: Radicale
    before(async () => {
      site = await CalendarTestSite.open(kind)
      server = await Radicale.start()
    })
    after(async () => {
      await site?.close()
      await server?.close()
    })
    afterEach(async () => {
      await site.clear()
      server.clear()
    })

    /**
     * Connects Ana's account with the server, chooses the calendars with these names and reads them; returns the
     * account's id.
     */
    const connect = async (...names: string[]) => {
      const id = await site.connectAccount(server.url)
      const { found } = await site.account(id)
      const refs = found.filter(({ name }) => names.includes(name)).map(({ ref }) => ref)
      await site.perform('calendars.accounts.choose', { id, refs })
      await site.runDueJobs()
      return id
    }
    const calendars = () => listCalendars(site.storage.db)
    const put = (name: string, ...event: readonly string[]) => server.put('work', `${name}.ics`, calendarFile(event))

    test('an account lists its calendars from the address of the server, of the user and of one calendar', async () => {
      for (const url of [server.url, `${server.url}ana/`, server.calendar('work')]) {
        const { found, fault } = await site.account(await site.connectAccount(url))
        assert.deepEqual(
          [fault, found.map(({ name, writable }) => [name, writable]).sort()],
          [
            null,
            [
              ['Private', true],
              ['Work', true],
            ],
          ],
        )
      }
      assert.deepEqual(await calendars(), [], 'nothing blocks before it is chosen')
    })

    test('several chosen calendars block, and only their times are stored', async () => {
      await put('dentist', ...dentist)
      await server.put(
        'private',
        'choir.ics',
        calendarFile(['choir', '20261006T140000', '20261006T150000', 'RRULE:FREQ=WEEKLY']),
      )
      const id = await connect('Work', 'Private')
      assert.deepEqual(await site.starts('2026-10-06'), ['09:00', '12:00', '13:00', '15:00', '16:00'])
      assert.deepEqual(
        await site.starts('2026-10-13'),
        allDay.filter((start) => start !== '14:00'),
      )
      assert.deepEqual(await site.starts('2026-10-06', ben), allDay)
      for (const table of ['busy', 'connected_calendar', 'calendar_item', 'calendar_account', 'event'] as const) {
        const text = JSON.stringify(await site.storage.db.build.selectFrom(table).selectAll().execute())
        assert.doesNotMatch(text, /secret title|Zaunk/, table)
      }
      const work = (await site.account(id)).found.filter(({ name }) => name === 'Work')
      await site.perform('calendars.accounts.choose', { id, refs: work.map(({ ref }) => ref) })
      assert.deepEqual(await site.starts('2026-10-13'), allDay)
      assert.deepEqual(
        (await calendars()).map(({ name }) => name),
        ['Work'],
      )
    })

    test('an unchanged calendar costs one request and writes no item; a changed one transfers the change alone', async () => {
      for (let count = 0; count < 120; count += 1)
        server.writeRaw('work', `e${count}.ics`, calendarFile([`e${count}`, '20261007T090000', '20261007T100000']))
      await put('dentist', ...dentist)
      await connect('Work')
      const [before] = await calendars()
      server.requests.length = 0
      await site.forgetInvalidations()
      await site.pass(300)
      assert.deepEqual(
        server.requests.map(({ method, status }) => [method, status]),
        [['REPORT', 207]],
      )
      assert.deepEqual(await site.invalidations(), [])
      const [same] = await calendars()
      assert.deepEqual([same?.content, same?.turn, same?.readAt], [before?.content, before?.turn, site.now])
      await put('dentist', 'dentist', '20261008T100000', '20261008T113000')
      await server.put('work', 'e0.ics', undefined)
      await put('new', 'new', '20261009T100000', '20261009T113000')
      server.requests.length = 0
      await site.pass(300)
      assert.deepEqual(
        server.requests.map(({ method }) => method),
        ['REPORT', 'REPORT'],
      )
      assert.deepEqual(await site.busy(), [
        '2026-10-07T09:00 10:00',
        '2026-10-08T10:00 11:30',
        '2026-10-09T10:00 11:30',
      ])
      const items = await site.storage.db.build.selectFrom('calendar_item').select('item').execute()
      assert.equal(items.length, 121)
    })

    test('a calendar is compared as a whole after the server has forgotten its tokens', async () => {
      await put('dentist', ...dentist)
      await connect('Work')
      await put('dentist', 'dentist', '20261008T100000', '20261008T113000')
      let refused = 0
      server.intercept = (request, response) => {
        if (request.method !== 'REPORT' || refused > 0) return false
        refused += 1
        response
          .writeHead(403, { 'content-type': 'application/xml' })
          .end('<error xmlns="DAV:"><valid-sync-token/></error>')
        return true
      }
      await site.pass(300)
      assert.equal(refused, 1)
      assert.deepEqual(await site.busy(), ['2026-10-08T10:00 11:30'])
    })

    /**
     * Makes `answer` respond to `sync-collection` reports in place of the server, and forwards all other reports to the
     * server.
     */
    function answerSync(answer: (response: ServerResponse) => void): void {
      server.intercept = (request, response) => {
        let body = ''
        if (request.method !== 'REPORT') return false
        request.on('data', (chunk) => (body += chunk))
        request.on('end', async () => {
          if (body.includes('sync-collection')) return answer(response)
          const { host: _, ...headers } = request.headers
          const forwarded = await fetch(new URL(request.url ?? '', server.direct), {
            method: 'REPORT',
            body,
            headers: headers as Record<string, string>,
          })
          response.writeHead(forwarded.status, { 'content-type': 'application/xml' }).end(await forwarded.text())
        })
        return true
      }
    }

    test('a list that the server truncates and does not continue is not taken for the whole calendar', async () => {
      await put('dentist', ...dentist)
      await put('new', 'new', '20261009T100000', '20261009T113000')
      const item = `<response><href>/ana/work/dentist.ics</href><propstat><prop><getetag>"1"</getetag></prop>
        <status>HTTP/1.1 200 OK</status></propstat></response>`
      const more = '<response><href>/ana/work/</href><status>HTTP/1.1 507 Insufficient Storage</status></response>'
      answerSync((response) => {
        response.writeHead(207).end(`<multistatus xmlns="DAV:"><sync-token>s</sync-token>${item}${more}</multistatus>`)
      })
      await connect('Work')
      assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30', '2026-10-09T10:00 11:30'])
    })

    test('a server without sync tokens is read by its ctag and the versions of its items', async () => {
      await put('dentist', ...dentist)
      // Radicale has no setting that disables `sync-collection`, so the test refuses these reports itself.
      answerSync((response) => response.writeHead(501).end())
      await connect('Work')
      assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30'])
      server.requests.length = 0
      await site.pass(300)
      assert.deepEqual(
        server.requests.map(({ method }) => method),
        ['PROPFIND'],
      )
      await put('dentist', 'dentist', '20261008T100000', '20261008T113000')
      await put('new', 'new', '20261009T100000', '20261009T113000')
      await site.pass(300)
      assert.deepEqual(await site.busy(), ['2026-10-08T10:00 11:30', '2026-10-09T10:00 11:30'])
      await server.put('work', 'new.ics', undefined)
      await site.pass(300)
      assert.deepEqual(await site.busy(), ['2026-10-08T10:00 11:30'])
    })

    test('what cannot be read says why, and what was read before stays', async () => {
      await put('dentist', ...dentist)
      await connect('Work')
      const after = async (intercept: Radicale['intercept']) => {
        server.intercept = intercept
        const [calendar] = await calendars()
        await site.perform('calendars.sync', { id: calendar?.id ?? '' })
        await site.runDueJobs()
        const [{ fault = null } = {}] = await calendars()
        assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30'], String(fault))
        return fault
      }
      const answered =
        (status: number, text = '', headers = {}) =>
        (_: unknown, response: ServerResponse) => {
          response.writeHead(status, headers).end(text)
          return true
        }
      const multistatus = (text: string) => answered(207, `<multistatus xmlns="DAV:">${text}</multistatus>`)
      assert.equal(await after(answered(401)), 'sign_in_refused')
      assert.equal(await after(answered(404)), 'not_found')
      assert.equal(await after(answered(503)), 'server_error')
      assert.equal(await after(answered(200, '<!doctype html>')), 'not_a_calendar')
      assert.equal(await after(answered(207, '<html></html>')), 'not_a_calendar')
      assert.equal(await after(answered(207, '<multistatus xmlns="DAV:"><response>')), 'malformed')
      assert.equal(
        await after(answered(207, `<!DOCTYPE a [<!ENTITY b "c">]><multistatus>&b;</multistatus>`)),
        'malformed',
      )
      assert.equal(await after(multistatus('<a>'.repeat(100))), 'malformed')
      assert.equal(
        await after(multistatus(`<a ${Array.from({ length: 100 }, (_, n) => `a${n}=""`).join(' ')}/>`)),
        'malformed',
      )
      assert.equal(await after(answered(302, '', { Location: '/again/' })), 'too_many_redirects')
      assert.equal(await after(answered(302, '', { Location: 'http://10.0.0.1/' })), 'address_not_public')
      assert.equal(
        await after((_, response) => {
          response.socket?.destroy()
          return true
        }),
        'connection_failed',
      )
      assert.equal(await after(endless), 'too_large')
      const usual = site.timeout
      site.timeout = 1_000
      assert.equal(await after(() => true), 'timeout')
      site.timeout = usual
    })

    const endless: Radicale['intercept'] = (_, response) => {
      response.writeHead(207)
      response.write('<multistatus xmlns="DAV:">')
      const more = () => {
        while (response.write(`<!--${'x'.repeat(60_000)}-->`));
      }
      response.on('drain', more)
      more()
      return true
    }

    test('a malformed event is refused, because its time might be busy', async () => {
      await put('dentist', ...dentist)
      await connect('Work')
      const item = (data: string, etag: string) =>
        `<response><href>/ana/work/x.ics</href><propstat><prop>${etag}${data}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`
      const fault = async (data: string, etag = '<getetag>"1"</getetag>') => {
        server.intercept = (request, response) => {
          if (request.method !== 'REPORT') return false
          response
            .writeHead(207)
            .end(`<multistatus xmlns="DAV:"><sync-token>n</sync-token>${item(data, etag)}</multistatus>`)
          return true
        }
        const [calendar] = await calendars()
        await site.perform('calendars.sync', { id: calendar?.id ?? '' })
        await site.runDueJobs()
        assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30'])
        return (await calendars())[0]?.fault
      }
      const file = calendarFile(['x', '20261007T100000', '20261007T110000'])
      assert.equal(await fault(''), 'malformed')
      assert.equal(await fault('', ''), 'malformed')
      assert.equal(await fault('<calendar-data></calendar-data>'), 'malformed')
      assert.equal(await fault(`<calendar-data>${file.slice(0, -30)}</calendar-data>`), 'malformed')
      assert.equal(await fault(`<calendar-data>${file.replace('T100000', 'T1000')}</calendar-data>`), 'malformed')
    })

    test('items that define different zones with one name block their own times', async () => {
      const inZone = (uid: string, offset: string) =>
        calendarFile([uid, '20261006T100000', '20261006T110000'])
          .replaceAll('Europe/Berlin', 'Customized Time Zone')
          .replace(
            'BEGIN:VEVENT',
            [
              ...['BEGIN:VTIMEZONE', 'TZID:Customized Time Zone', 'BEGIN:STANDARD', 'DTSTART:16010101T000000'],
              ...[`TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`, 'END:STANDARD', 'END:VTIMEZONE', 'BEGIN:VEVENT'],
            ].join('\r\n'),
          )
      await server.put('work', 'east.ics', inZone('east', '+0300'))
      await server.put('work', 'west.ics', inZone('west', '-0200'))
      await connect('Work')
      assert.deepEqual(await site.busy(), ['2026-10-06T09:00 10:00', '2026-10-06T14:00 15:00'])
    })

    test('an item with NUL in its name and version is read', async () => {
      await connect('Work')
      server.intercept = (request, response) => {
        if (request.method !== 'REPORT') return false
        const file = calendarFile(['x', '20261007T100000', '20261007T110000'])
        response.writeHead(207).end(
          `<multistatus xmlns="DAV:"><response><href>/ana/work/a%00b.ics</href><propstat><prop><getetag>"1\0"</getetag>
          <calendar-data>${file}</calendar-data></prop><status>HTTP/1.1 200 OK</status></propstat></response>
          <sync-token>n</sync-token></multistatus>`,
        )
        return true
      }
      const [calendar] = await calendars()
      await site.perform('calendars.sync', { id: calendar?.id ?? '' })
      await site.runDueJobs()
      assert.equal((await calendars())[0]?.fault, null)
      assert.deepEqual(await site.busy(), ['2026-10-07T10:00 11:00'])
    })

    test('a stopped server is read again when it is back', async () => {
      await put('dentist', ...dentist)
      await connect('Work')
      await put('new', 'new', '20261009T100000', '20261009T113000')
      await server.stop()
      await site.pass(300)
      assert.equal((await calendars())[0]?.fault, 'connection_failed')
      await server.start()
      await site.pass(300)
      assert.deepEqual(
        [(await calendars())[0]?.fault, await site.busy()],
        [null, ['2026-10-06T10:00 11:30', '2026-10-09T10:00 11:30']],
      )
    })

    test('a calendar that has moved is followed, and one that was removed says so', async () => {
      await put('dentist', ...dentist)
      await connect('Work')
      await server.put('private', 'dentist.ics', calendarFile(['dentist', '20261008T100000', '20261008T113000']))
      server.intercept = (request, response) => {
        if (!request.url?.startsWith('/ana/work/')) return false
        response.writeHead(301, { Location: request.url.replace('ana/work', 'ana/private') }).end()
        return true
      }
      await site.pass(300)
      assert.deepEqual(await site.busy(), ['2026-10-08T10:00 11:30'])
      server.intercept = () => false
      server.remove('work')
      await site.pass(300)
      assert.equal((await calendars())[0]?.fault, 'not_found')
    })

    test('wrong credentials are refused, and new ones are used at once', async () => {
      const id = await site.connectAccount(server.url, { password: 'wrong' })
      assert.equal((await site.account(id)).fault, 'sign_in_refused')
      await site.perform('calendars.accounts.edit', { id, login: 'ana', ...site.sealedAccount(id, server.url) })
      await site.runDueJobs()
      const { fault, found } = await site.account(id)
      assert.deepEqual([fault, found.length], [null, 2])
    })

    test('a certificate that nobody signed is refused, and so is a server without calendars', async () => {
      const signed = await startSelfSigned()
      assert.equal((await site.account(await site.connectAccount(signed.url))).fault, 'certificate_invalid')
      await signed.stop()
      server.intercept = (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
        return true
      }
      assert.equal((await site.account(await site.connectAccount(server.url))).fault, 'not_a_calendar')
    })

    test('no account is reached at an address that is not public', async () => {
      const strict = await CalendarTestSite.open(kind, { networks: '' })
      const id = await strict.connectAccount(server.url.replace('http:', 'https:'))
      assert.equal((await strict.account(id)).fault, 'address_not_public')
      assert.equal(server.requests.length, 0)
      await strict.close()
    })
  })
}
