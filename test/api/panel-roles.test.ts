import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { UserRole } from '../../src/access/users/user.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben } from '../support/clinic.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  let browsers: Readonly<Record<UserRole, BrowserClient>>
  before(async () => {
    site = await open()
    browsers = {
      admin: (await insertSignedInUser(site, 'admin')).browser,
      manager: (await insertSignedInUser(site, 'manager')).browser,
      receptionist: (await insertSignedInUser(site, 'receptionist')).browser,
      provider: (await insertSignedInUser(site, 'provider', { providerId: ana })).browser,
      read_only: (await insertSignedInUser(site, 'read_only')).browser,
    }
  })
  after(() => site.close())

  const ok = async (role: UserRole, path: string, body?: object) => {
    const by = browsers[role]
    const answer = await (body ? by.post(path, body) : by.get(path))
    assert.ok(answer.status < 300, `${role} ${path}: ${answer.text}`)
    return answer.body
  }

  test('a receptionist serves a caller: customer, booking with a reason, note, move, attendance, cancellation', async () => {
    const slot = await site.slot({ service: 'plain', provider: ben })
    const { id: customerId } = await ok('receptionist', '/customers/add/', { name: 'Cal Ler', phone: '+4940111222' })
    await ok('receptionist', '/customers/notes/add/', { customerId, text: 'Rings in the morning' })
    const { id } = await ok('receptionist', '/calendar/book/', {
      serviceId: slot.serviceId,
      providerId: ben,
      customerId,
      start: slot.start + 60,
      note: 'Brings a dog',
      override: { reason: 'Agreed on the phone' },
    })
    await ok('receptionist', '/calendar/move/', { id, providerId: ben, start: slot.start })
    await ok('receptionist', '/reservations/attendance/', { id, state: 'arrived' })
    await ok('receptionist', '/reservations/status/', { id, status: 'cancelled', cancelReason: 'Ill' })
    assert.equal((await site.reservation(String(id))).status, 'cancelled')
  })

  test('a receptionist records the time off of any provider', async () => {
    const { start, end } = await site.slot({ service: 'plain', provider: ben })
    const { id } = await ok('receptionist', '/time-off/add/', { providerId: ben, start, end, note: 'Dentist' })
    await ok('receptionist', '/time-off/remove/', { id })
  })

  test('income is shown to those who lead and to providers, and to no other role', async () => {
    const { id, start } = await site.booked({ service: 'plain', provider: ana })
    await site.sql('update reservation set price = 5000, currency = ? where id = ?', ['EUR', id])
    const date = new Date(start * 1000).toISOString().slice(0, 10)
    const shown = async (role: UserRole) => {
      const { response } = await ok(role, `/today/?from=${date}&to=${date}`)
      const { incomes, days } = Object(response)
      assert.equal(days[0].confirmed > 0, true)
      return incomes.length
    }
    for (const [role, count] of [
      ['admin', 1],
      ['manager', 1],
      ['provider', 1],
      ['receptionist', 0],
      ['read_only', 0],
    ] as const)
      assert.equal(await shown(role), count, role)
  })

  test('a manager sees by name who may have changed something: users and tokens, which only administrators list', async () => {
    const { actors } = Object((await ok('manager', '/history/actors/')).response)
    const users = await site.sql('select id, name from person order by name')
    const tokens = await site.sql('select id, name from token')
    const named = (kind: string) =>
      (actors as readonly { readonly kind: string; readonly id: string }[]).filter((one) => one.kind === kind)
    assert.deepEqual(
      named('user'),
      users.map(({ id, name }) => ({ kind: 'user', id, name })),
    )
    assert.deepEqual(
      named('token')
        .map((one) => one.id)
        .toSorted(),
      tokens.map(({ id }) => id).toSorted(),
    )
  })

  test('read only sees the calendar, reservations and customers of all providers, and changes its password alone', async () => {
    const { id, start } = await site.booked({ service: 'plain', provider: ben })
    const { response } = await ok('read_only', `/calendar/?from=${start}&until=${start + 3600}`)
    assert.ok(Object(response).reservations.some((one: { id: string }) => one.id === id))
    await ok('read_only', `/reservations/one/?id=${id}`)
    await ok('read_only', '/customers/')
    const before = await site.reservation(id)
    for (const [path, body] of [
      ['/calendar/move/', { id, start: start + 86_400 }],
      ['/reservations/status/', { id, status: 'cancelled' }],
      ['/reservations/note/', { id, note: 'Seen' }],
      ['/customers/edit/', { id: site.customer('Jo'), name: 'Other' }],
    ] as const)
      assert.equal((await browsers.read_only.post(path, body)).status, 403, path)
    assert.deepEqual(await site.reservation(id), before)
  })

  test('a user who becomes a receptionist loses the sessions of the former role', async () => {
    const { userId, browser } = await insertSignedInUser(site, 'manager')
    await ok('admin', '/users/edit/', { id: userId, role: 'receptionist' })
    assert.equal((await browser.get('/customers/')).status, 401)
  })
})
