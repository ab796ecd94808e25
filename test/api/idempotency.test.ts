import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, dayLong, hour, now } from '../support/clinic.ts'
import { InsertLock } from '../support/insert-lock.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertDone, assertRefused, onEachDatabase, type TestSite } from '../support/test-site.ts'
import { makeToken } from '../support/tokens.ts'
import { whenServed } from '../support/when-served.ts'

onEachDatabase((open, kind) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  let keys = 0
  const freshKey = (): string => {
    keys += 1
    return `key-${keys}`
  }
  const send = (key: string, path: string, body: unknown, token?: string): Promise<ApiResponse<AnyBody>> =>
    site.post(path, body, { headers: { 'Idempotency-Key': key }, ...(token !== undefined && { token }) })
  const replayed = (response: ApiResponse<AnyBody>): boolean => response.headers.get('idempotency-replayed') === 'true'
  const body = async (): Promise<Record<string, unknown>> =>
    site.booking(await site.slot({ service: 'plain', provider: ana }))

  test('a repeated call returns the first response and has no second effect', async () => {
    const [key, booking] = [freshKey(), await body()]
    const first = await send(key, '/reservations/add/', booking)
    assert.equal(first.status, 200, first.text)
    assert.ok(!replayed(first))
    for (const again of [booking, Object.fromEntries(Object.entries(booking).reverse())]) {
      const second = await site.assertUnchanged(() => send(key, '/reservations/add/', again))
      assert.deepEqual([second.status, second.body], [200, first.body])
      assert.ok(replayed(second))
    }
  })

  test('a replayed creation is answered with 201 again', async () => {
    const [key, customer] = [freshKey(), { name: 'Once', email: 'once@example.com' }]
    const [first, second] = [await send(key, '/customers/add/', customer), await send(key, '/customers/add/', customer)]
    assert.deepEqual([second.status, second.body], [201, first.body])
    const { body: list } = await site.get('/customers/get/')
    assert.equal(list.response.filter((one) => one.name === 'Once').length, 1)
  })

  test('edits and removals are replayed as well', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    const [edit, remove] = [freshKey(), freshKey()]
    assertDone(await send(edit, '/reservations/edit/', { id, data: { a: 1 } }))
    assertDone(await site.edit(id, { data: { a: 2 } }))
    assertDone(await site.assertUnchanged(() => send(edit, '/reservations/edit/', { id, data: { a: 1 } })))
    const gone = () =>
      site.server.call('POST', '/reservations/remove/', { query: { id }, headers: { 'Idempotency-Key': remove } })
    assertDone(await gone())
    const again = await gone()
    assertDone(again)
    assert.ok(replayed(again))
  })

  test('the same key with another request is refused', async () => {
    const [key, booking] = [freshKey(), await body()]
    assert.equal((await send(key, '/reservations/add/', booking)).status, 200)
    const other = await site.assertUnchanged(() => send(key, '/reservations/add/', { ...booking, data: {} }))
    assertRefused(other, 422, 'idempotency_key_reused')
    const remove = (id: string) =>
      site.server.call('POST', '/reservations/remove/', { query: { id }, headers: { 'Idempotency-Key': key } })
    const { id } = await site.booked({ service: 'plain', provider: ana })
    assertDone(await remove(id))
    assertRefused(await site.assertUnchanged(() => remove('r_other')), 422, 'idempotency_key_reused')
  })

  test('keys of different tokens and routes are independent', async () => {
    const key = freshKey()
    const other = await makeToken(site, 'other', 'write')
    const service = { name: 'Keyed' }
    const mine = await send(key, '/services/add/', service)
    const theirs = await send(key, '/services/add/', service, other.secret)
    assert.ok(mine.body.id !== theirs.body.id && !replayed(theirs))
    const customer = await send(key, '/customers/add/', { name: 'Keyed', email: 'keyed@example.com' })
    assert.equal(customer.status, 201, customer.text)
  })

  test('a refusal by a rule is replayed, even when the rule would now allow the call', async () => {
    const [key, slot] = [freshKey(), await site.slot({ service: 'plain', provider: ana })]
    const taken = await site.book(slot)
    assertRefused(await send(key, '/reservations/add/', site.booking(slot)), 403, 'slot_full')
    assertDone(await site.edit(taken, { status: 'cancelled' }))
    const again = await site.assertUnchanged(() => send(key, '/reservations/add/', site.booking(slot)))
    assertRefused(again, 403, 'slot_full')
    assert.ok(replayed(again))
    assert.equal((await send(freshKey(), '/reservations/add/', site.booking(slot))).status, 200)
  })

  test('a 404 is replayed with its details', async () => {
    const [key, wrong] = [freshKey(), { ...(await body()), serviceId: 's_unknown' }]
    const [first, second] = [await send(key, '/reservations/add/', wrong), await send(key, '/reservations/add/', wrong)]
    assertRefused(first, 404, 'service_not_found', ['serviceId'])
    assert.deepEqual([second.status, second.body], [404, first.body])
    assert.ok(replayed(second))
  })

  test('a refusal that an earlier version kept, with sentences, is replayed as it was', async () => {
    const [key, wrong] = [freshKey(), { ...(await body()), serviceId: 's_unknown' }]
    await send(key, '/reservations/add/', wrong)
    const [sentence, fault] = ['No such service here.', 'Names no service here.']
    const kept = { refused: { code: 'service_not_found', sentence, details: { serviceId: fault } } }
    await site.sql('update idempotency set outcome = ? where key = ?', [JSON.stringify(kept), key])
    const again = await send(key, '/reservations/add/', wrong)
    assertRefused(again, 404, 'service_not_found', ['serviceId'])
    assert.deepEqual([again.body.error, again.body.details], [sentence, { serviceId: fault }])
    assert.ok(replayed(again))
  })

  test('a failure of credentials, scope or form uses up no key', async () => {
    const [key, booking] = [freshKey(), await body()]
    assert.equal((await send(key, '/reservations/add/', booking, 'nonsense')).status, 401)
    assert.equal((await send(key, '/reservations/add/', booking, site.server.readToken)).status, 403)
    assert.equal((await send(key, '/reservations/add/', '{')).status, 400)
    assert.equal((await send(key, '/reservations/add/', { ...booking, start: 'soon' })).status, 400)
    const response = await send(key, '/reservations/add/', booking)
    assert.equal(response.status, 200, response.text)
    assert.ok(!replayed(response))
  })

  test('a key is 1 to 255 visible ASCII characters', async () => {
    const booking = await body()
    for (const key of ['', 'a b', 'é', 'x'.repeat(256)]) {
      const response = await site.assertUnchanged(() => send(key, '/reservations/add/', booking))
      assertRefused(response, 400, 'invalid_parameter', ['Idempotency-Key'])
    }
    assert.equal((await send('~'.repeat(255), '/reservations/add/', booking)).status, 200)
  })

  test('twenty concurrent calls with one key make one reservation', async () => {
    const [key, booking] = [freshKey(), await body()]
    // On a busy machine, some of the calls wait longer for a connection to the database than the service lets them.
    const call = () => whenServed(() => send(key, '/reservations/add/', booking))
    const answers = await Promise.all(Array.from({ length: 20 }, call))
    const ids = new Set(answers.filter((response) => response.status === 200).map((response) => response.body.id))
    assert.equal(ids.size, 1)
    for (const response of answers.filter((one) => one.status !== 200))
      assertRefused(response, 409, 'idempotency_in_progress')
    assert.equal(answers.filter((response) => response.status === 200 && !replayed(response)).length, 1)
    const made = await site.reservations({ services: site.service('plain') })
    assert.equal(made.filter((one) => one.start === booking.start).length, 1)
  })

  // The test does not apply to SQLite, where writes are queued: the second call waits and receives the response of the
  // first call.
  if (kind === 'postgres')
    test('a second call is refused while the first one runs', async () => {
      const [key, booking] = [freshKey(), await body()]
      await using lock = await InsertLock.acquire(site.databaseUrl ?? assert.fail())
      const first = send(key, '/reservations/add/', booking)
      await lock.waitForBlocked(1)
      assertRefused(await send(key, '/reservations/add/', booking), 409, 'idempotency_in_progress')
      await lock.release()
      const { status, body: made } = await first
      assert.equal(status, 200)
      assert.deepEqual((await send(key, '/reservations/add/', booking)).body, made)
    })

  // This test is the last of the file, because it restarts the service and moves its clock.
  test('a key is stored for a day, across a restart, and is then free again', async () => {
    const [key, customer] = [freshKey(), { name: 'Ida', email: 'ida@example.com' }]
    const first = await send(key, '/customers/add/', customer)
    await site.server.kill()
    await site.server.restart({ now: now + dayLong - hour })
    const kept = await send(key, '/customers/add/', customer)
    assert.deepEqual([kept.status, kept.body, replayed(kept)], [201, first.body, true])
    await site.server.stop()
    await site.server.restart({ now: now + dayLong + hour })
    const fresh = await send(key, '/customers/add/', { ...customer, name: 'Eda' })
    assert.equal(fresh.status, 201, fresh.text)
    assert.ok(!replayed(fresh))
    assert.notEqual(fresh.body.id, first.body.id)
  })
})
