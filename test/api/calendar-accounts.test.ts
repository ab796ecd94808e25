import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben } from '../support/clinic.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertRefused, onEachDatabase, type TestSite } from '../support/test-site.ts'
import { waitForValue } from '../support/wait-for-value.ts'

onEachDatabase((open) => {
  let site: TestSite
  let manager: BrowserClient
  let asAna: BrowserClient
  before(async () => {
    site = await open({ env: { DAYBOOK_SECRET_KEY: '5e'.repeat(32) } })
    manager = (await insertSignedInUser(site, 'manager')).browser
    asAna = (await insertSignedInUser(site, 'provider', { providerId: ana })).browser
  })
  after(() => site.close())

  const credentials = { url: 'calendar.invalid', user: 'ana', password: 'Zaunkönig 7' }
  const connect = async (browser: BrowserClient, providerId: number) => {
    const answer = await browser.post('/calendar-accounts/connect/', { providerId, ...credentials })
    assertDone(answer)
    return String(asAny(answer).body.id)
  }
  const list = async (browser: BrowserClient, providerId: number) => {
    const { status, body, text } = await browser.get(`/calendar-accounts/?providerId=${providerId}`)
    assert.equal(status, 200, text)
    return Object(body.response)
  }

  test('an account is connected without its password in the database or an answer', async () => {
    const id = await connect(manager, ana)
    // The listing of the calendars of the account fails, because there is no such server, at an unknown moment.
    const jobs = () => site.sql("select 1 from job where kind = 'calendar-account' and unique_key = ?", [id])
    await waitForValue(jobs, [])
    assert.match(String((await list(manager, ana)).items[0].fault?.code), /^calendar_fault_/)
    await site.sql('update calendar_account set fault = null where id = ?', [id])
    const { items, destination } = await list(manager, ana)
    assert.deepEqual(items, [
      { ...{ id, kind: 'caldav', user: 'ana', host: 'calendar.invalid', foundAt: null, fault: null }, calendars: [] },
    ])
    assert.equal(destination, null)
    const stored = JSON.stringify(await site.sql('select * from calendar_account'))
    assert.doesNotMatch(stored + JSON.stringify(await site.sql('select * from event')), /Zaunk/)
    assertDone(await manager.post('/calendar-accounts/edit/', { id, user: 'ana2', password: 'new' }))
    assert.deepEqual(
      [(await list(manager, ana)).items[0].user, (await list(manager, ana)).items[0].host],
      ['ana2', 'calendar.invalid'],
    )
    assertDone(await manager.post('/calendar-accounts/refresh/', { id }))
    assertDone(await manager.post('/calendar-accounts/remove/', { id }))
    assert.deepEqual((await list(manager, ana)).items, [])
  })

  test('the role provider has their own accounts only', async () => {
    const other = await connect(manager, ben)
    const own = await connect(asAna, ana)
    assert.deepEqual(
      (await list(asAna, ana)).items.map((account: { id: string }) => account.id),
      [own],
    )
    assert.equal((await asAna.get(`/calendar-accounts/?providerId=${ben}`)).status, 404)
    const posts: [string, object][] = [
      ['/calendar-accounts/edit/', { id: other, user: 'x', password: 'x' }],
      ['/calendar-accounts/refresh/', { id: other }],
      ['/calendar-accounts/choose/', { id: other, refs: [] }],
      ['/calendar-accounts/destination/', { id: other, calendar: null, policy: 'restore', names: false }],
      ['/calendar-accounts/remove/', { id: other }],
    ]
    for (const [path, body] of posts) assertRefused(asAny(await asAna.post(path, body)), 404, 'calendar_not_found')
    const connecting = { providerId: ben, ...credentials }
    assertRefused(asAny(await asAna.post('/calendar-accounts/connect/', connecting)), 404, 'provider_not_found', [
      'providerId',
    ])
    for (const role of ['receptionist', 'read_only'] as const) {
      const { browser } = await insertSignedInUser(site, role)
      for (const [path, body] of posts) assert.equal((await browser.post(path, body)).status, 403, `${role} ${path}`)
    }
    for (const id of [own, other]) await manager.post('/calendar-accounts/remove/', { id })
  })

  test('an address that leads elsewhere, an unknown calendar and a sixth account are refused', async () => {
    for (const url of [
      'ftp://calendar.invalid/',
      'https://user:secret@calendar.invalid/',
      'https://127.0.0.1/',
      'http://calendar.invalid/',
    ])
      assert.equal(
        (await manager.post('/calendar-accounts/connect/', { providerId: ana, ...credentials, url })).status,
        400,
        url,
      )
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.push(await connect(manager, ana))
    const more = await manager.post('/calendar-accounts/connect/', { providerId: ana, ...credentials })
    assert.equal(asAny(more).body.reason, 'calendar_limit')
    assert.match(more.text, /at most 5 calendar accounts/)
    const choice = { id: ids[0], calendar: 'https://calendar.invalid/work/', policy: 'restore', names: false }
    assertRefused(asAny(await manager.post('/calendar-accounts/destination/', choice)), 404, 'calendar_not_found')
    assertDone(await manager.post('/calendar-accounts/choose/', { id: ids[0], refs: [choice.calendar] }))
    assert.deepEqual(await site.sql('select * from connected_calendar'), [])
    for (const id of ids) await manager.post('/calendar-accounts/remove/', { id })
  })

  test('an account gets no credentials of another kind, and a calendar of an account no address', async () => {
    const id = await connect(manager, ana)
    await site.sql(
      `insert into calendar_account (id, provider_id, kind, login, host, secret, created_at)
       values ('cac_google', ?, 'google', 'ana@example.com', 'www.googleapis.com', 'x', 1800000000)`,
      [ana],
    )
    await site.sql("insert into calendar_app (kind, client_id, secret) values ('google', 'client', 'x')")
    const stored = () => site.sql('select kind, host, secret, revision from calendar_account order by id')
    const before = await stored()
    const assertUnknown = async (path: string, body: object) =>
      assertRefused(asAny(await manager.post(path, body)), 404, 'calendar_not_found')
    const edited = { id: 'cac_google', user: 'ana', password: 'x' }
    await assertUnknown('/calendar-accounts/edit/', edited)
    await assertUnknown('/calendar-accounts/edit/', { ...edited, url: 'calendar.invalid' })
    await assertUnknown('/calendar-accounts/authorize/', { kind: 'google', providerId: ana, accountId: id })
    assert.deepEqual(await stored(), before)
    await site.sql("update calendar_account set fault = 'sign_in_refused' where id = 'cac_google'")
    const { items } = await list(manager, ana)
    const { fault } = items.find((account: { id: string }) => account.id === 'cac_google')
    assert.equal(fault.code, 'calendar_fault_access_ended')
    const found = [{ ref: 'a', name: 'A', writable: true }]
    await site.sql('update calendar_account set found = ? where id = ?', [JSON.stringify(found), id])
    assertDone(await manager.post('/calendar-accounts/choose/', { id, refs: ['a'] }))
    const [calendar] = await site.sql('select id, host, secret from connected_calendar')
    await assertUnknown('/calendars/edit/', { id: calendar?.id ?? '', url: 'https://other.invalid/a.ics' })
    assert.deepEqual(await site.sql('select id, host, secret from connected_calendar'), [calendar])
    for (const one of [id, 'cac_google']) assertDone(await manager.post('/calendar-accounts/remove/', { id: one }))
  })

  test('calendars in use that the last listing lacks are shown, and remain until they are given up', async () => {
    const id = await connect(manager, ana)
    const found = ['a', 'b', 'c'].map((ref) => ({ ref, name: ref.toUpperCase(), writable: true }))
    const setFound = (calendars: readonly object[]) =>
      site.sql('update calendar_account set found = ? where id = ?', [JSON.stringify(calendars), id])
    const choose = async (refs: readonly string[]) =>
      assertDone(await manager.post('/calendar-accounts/choose/', { id, refs }))
    const setDestination = (calendar: string | null, names: boolean) =>
      manager.post('/calendar-accounts/destination/', { id, calendar, policy: 'restore', names })
    await setFound(found)
    await choose(['a'])
    assertDone(await setDestination('b', false))
    await setFound(found.slice(2))
    const shown = async () => (await list(manager, ana)).items[0].calendars
    const missing = { writable: false, listed: false }
    assert.deepEqual(await shown(), [
      { ref: 'c', name: 'C', writable: true, listed: true, blocks: false },
      { ref: 'a', name: 'A', ...missing, blocks: true },
      { ref: 'b', name: 'B', ...missing, blocks: false },
    ])
    assertDone(await setDestination('b', true))
    const { destination } = await list(manager, ana)
    assert.deepEqual([destination.ref, destination.name, destination.names], ['b', 'B', true])
    assertRefused(asAny(await setDestination('a', true)), 404, 'calendar_not_found')
    await choose(['c'])
    assertDone(await setDestination(null, true))
    assert.deepEqual(await shown(), [{ ref: 'c', name: 'C', writable: true, listed: true, blocks: true }])
    assertDone(await manager.post('/calendar-accounts/remove/', { id }))
  })

  test('what went wrong with the event of a reservation is shown to staff', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana, on: site.nextDay(), nth: 1 })
    await site.sql(
      `insert into calendar_event (reservation_id, provider_id, account_id, calendar, item, uid, fault, fault_detail)
       values (?, ?, 'x', 'y', 'z', 'u', 'server_error', '507')`,
      [id, ana],
    )
    const shown = async (browser: BrowserClient) =>
      (await browser.get(`/calendar-events/?reservationId=${id}`)).body.response
    const expected = { providerId: ana, calendar: '', written: false, withoutMeeting: false, contested: false }
    for (const browser of [manager, asAna])
      assert.deepEqual(
        Object(await shown(browser)).map(({ fault, ...rest }: { fault: object }) => [rest, fault]),
        [[expected, { code: 'calendar_fault_server_error', parameters: { detail: '507' } }]],
      )
    const asBen = (await insertSignedInUser(site, 'provider', { providerId: ben })).browser
    assert.equal((await asBen.get(`/calendar-events/?reservationId=${id}`)).status, 404)
  })
})

function assertDone({ status, text }: { readonly status: number; readonly text: string }): void {
  assert.equal(status, 200, text)
}

function asAny(answer: unknown): ApiResponse<AnyBody> {
  return answer as ApiResponse<AnyBody>
}
