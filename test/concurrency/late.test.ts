import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana } from '../support/clinic.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertDone, assertRefused, onEachDatabase, type TestSite } from '../support/test-site.ts'
import { whenServed } from '../support/when-served.ts'

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  /**
   * Books a slot, and fails unless three further bookings of the slot are refused as full; returns the body of such a
   * further booking and the id of the reservation.
   */
  async function lost(): Promise<{ body: Record<string, unknown>; id: string }> {
    const slot = await site.slot({ service: 'plain', provider: ana })
    const id = await site.book(slot)
    const body = site.booking(slot)
    for (let time = 0; time < 3; time += 1) assertRefused(await again(body), 403, 'slot_full')
    return { body, id }
  }
  const again = (body: object, headers: Record<string, string> = {}): Promise<ApiResponse<AnyBody>> =>
    site.post('/reservations/add/', body, { headers })

  test('a late booking is refused until the slot is free again', async () => {
    const { body, id } = await lost()
    assertDone(await site.edit(id, { status: 'cancelled' }))
    const next = await again(body)
    assert.equal(next.status, 200, next.text)
    assertRefused(await again(body), 403, 'slot_full')
  })

  test('of many concurrent bookings one gets the freed slot', async () => {
    const { body, id } = await lost()
    // On a busy machine, some of the calls wait longer for the provider's lock than the service lets them.
    const book = () => whenServed(() => again(body))
    const [freed, ...answers] = await Promise.all([
      whenServed(() => site.edit(id, { status: 'cancelled' })),
      ...Array.from({ length: 20 }, book),
    ])
    assertDone(freed)
    const late = await Promise.all(Array.from({ length: 20 }, book))
    assert.equal([...answers, ...late].filter(({ status }) => status === 200).length, 1)
  })

  test('a refusal of the customer precedes that of the slot', async () => {
    const { body } = await lost()
    assertRefused(await again({ ...body, customerId: 'c_nobody' }), 404, 'customer_not_found', ['customerId'])
    assertRefused(await again({ ...body, customerId: site.customer('Bo') }), 403, 'customer_blocked')
    assertRefused(await again({ ...body, availabilityId: 'never shown' }), 403, 'slot_invalid')
    assertRefused(await again({ ...body, customerId: site.customer('Mia') }), 403, 'slot_full')
  })

  test('a dry run of a booked slot is refused, and stores nothing', async () => {
    const { body } = await lost()
    const tried = await site.assertUnchanged(() => again(body, { 'X-SVC-Dry-Run': '1' }))
    assertRefused(tried, 403, 'slot_full')
    assert.equal(tried.headers.get('x-svc-dry-run'), '1')
  })

  test('with a key the refusal is stored and replayed, even when the slot is free by then', async () => {
    const { body, id } = await lost()
    const key = { 'Idempotency-Key': 'late-1' }
    assertRefused(await again(body, key), 403, 'slot_full')
    assertDone(await site.edit(id, { status: 'cancelled' }))
    const repeated = await again(body, key)
    assertRefused(repeated, 403, 'slot_full')
    assert.equal(repeated.headers.get('idempotency-replayed'), 'true')
  })
})
