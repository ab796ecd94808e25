import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, now } from '../support/clinic.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

const canary = 'Kanarienvogel'
const slots = { service: 'plain', provider: ana }

onEachDatabase((open, kind) => {
  let site: TestSite
  let manager: BrowserClient
  before(async () => {
    site = await open()
    manager = (await insertSignedInUser(site, 'manager')).browser
  })
  after(() => site.close())

  const post = async (path: string, body: object, status = 200) => {
    const answer = await manager.post(path, body)
    assert.equal(answer.status, status, answer.text)
    return answer.body
  }
  const one = async (id: string) => (await manager.get(`/customers/one/?id=${id}`)).body.response
  const add = async (fields: Readonly<Record<string, unknown>>): Promise<string> =>
    String((await post('/customers/add/', fields)).id)

  const suppress = async (...addresses: readonly string[]) => {
    for (const address of addresses)
      await site.sql(
        "insert into mail_suppression (address_key, reason, detail, created_at) values (?, 'bounced', '', 60)",
        [address],
      )
  }
  const suppressed = async (...addresses: readonly string[]) => {
    const rows = await site.sql('select address_key from mail_suppression order by address_key')
    return rows.map(({ address_key: key }) => String(key)).filter((key) => addresses.includes(key))
  }

  const insertPayment = (customerId: string, id: string) =>
    site.sql(
      `insert into payment (id, customer_id, amount, currency, state, expires_at, created_at, updated_at)
       values (?, ?, 500, 'EUR', 'paid', 0, 70, 70)`,
      [id, customerId],
    )

  test('a merge moves reservations, notes and missing fields to the remaining customer', async () => {
    const stays = await add({ name: 'Stays', email: 'stays@list.example' })
    const gone = await add({ name: 'Gone', email: 'gone@list.example', phone: '+49 1', language: 'de' })
    const reservation = await site.book(await site.slot(slots), { customerId: gone })
    await post('/customers/notes/add/', { customerId: gone, text: 'Rings twice.' })
    await insertPayment(gone, 'pay_gone')
    await site.sql('insert into deletion_request (customer_id, requested_at) values (?, 77)', [gone])
    await post('/customers/merge/', { id: stays, from: gone })
    const requests = await site.sql('select * from deletion_request where customer_id in (?, ?)', [stays, gone])
    assert.deepEqual(requests, [{ customer_id: stays, requested_at: 77 }])
    assert.deepEqual(await site.sql("select customer_id from payment where id = 'pay_gone'"), [{ customer_id: stays }])
    const merged = await one(stays)
    assert.deepEqual([merged.name, merged.phone, Object(merged.counts).confirmed], ['Stays', '+49 1', 1])
    assert.deepEqual([Object(merged.more).language, Object(merged.more).notes.length], ['de', 1])
    const { history } = Object((await manager.get(`/reservations/one/?id=${reservation}`)).body.response)
    assert.deepEqual([history[0].before.customerId, history[0].after.customerId], [gone, stays])
    assert.equal((await manager.get(`/customers/one/?id=${gone}`)).status, 404)
    await post('/customers/merge/', { id: stays, from: gone }, 404)
    const same = await manager.post('/customers/merge/', { id: stays, from: stays })
    assert.deepEqual([same.status, Object.keys(same.body.details ?? {})], [400, ['from']])
    const moved = await site.edit(reservation, { status: 'cancelled' })
    assert.equal(moved.status, 200, moved.text)
  })

  test('a merged customer is blocked if either of the two was', async () => {
    const [active, inactive, blocked] = [1, 0, 2]
    for (const [stays, gone, merged] of [
      [active, blocked, blocked],
      [blocked, active, blocked],
      [inactive, blocked, blocked],
      [active, inactive, active],
    ] as const) {
      const withStatus = async (status: number) => {
        const id = await add({ name: 'Mo', email: 'mo@list.example' })
        assert.equal((await site.post('/customers/edit/', { id, status })).status, 200)
        return id
      }
      const [id, from] = [await withStatus(stays), await withStatus(gone)]
      await post('/customers/merge/', { id, from })
      assert.equal(Object(await one(id)).status, merged, `${stays} and ${gone}`)
      const booked = await site.add(await site.slot(slots), { customerId: id })
      assert.equal(booked.status, merged === blocked ? 403 : 200, booked.text)
    }
  })

  test('an export contains all data of a customer, including removed reservations', async () => {
    const id = await add({ name: 'Exported', email: 'exported@list.example' })
    const kept = await site.book(await site.slot(slots), { customerId: id, data: { wish: 'window' } })
    const removed = await site.book(await site.slot(slots), { customerId: id, data: { wish: 'door' } })
    await site.remove(removed)
    await post('/customers/notes/add/', { customerId: id, text: 'Likes tea.' })
    await site.sql(
      `insert into notification (id, kind, reservation_id, customer_id, recipient, locale, channel, subject, state, reason,
       attempts, created_at, updated_at) values ('n_export', 'booked', ?, ?, 'Old@list.example', 'en', 'email', 'Booked',
       'sent', '', 1, 50, 50)`,
      [kept, id],
    )
    await site.sql(
      "insert into mail_suppression (address_key, reason, detail, created_at) values ('old@list.example', 'bounced', '', 60)",
    )
    await insertPayment(id, 'pay_export')
    const file = await manager.get(`/customers/export/?id=${id}`)
    assert.equal(file.status, 200, file.text)
    const held = Object(file.body)
    assert.deepEqual(held.messages, [
      {
        ...{ kind: 'booked', channel: 'email', recipient: 'Old@list.example', subject: 'Booked', state: 'sent' },
        ...{ reservationId: kept, created: 50 },
      },
    ])
    assert.deepEqual(held.suppressions, [{ address: 'old@list.example', reason: 'bounced', created: 60 }])
    const payment = { purpose: 'pay', amount: 500, currency: 'EUR', state: 'paid', created: 70, card: null }
    assert.deepEqual([held.payments, held.receipts], [[payment], []])
    assert.equal(held.customer.email, 'exported@list.example')
    assert.deepEqual(
      held.reservations.map((one: { id: string }) => one.id),
      [kept],
    )
    assert.equal(held.notes[0].text, 'Likes tea.')
    assert.match(JSON.stringify(held.history), /"wish":"door"/)
    assert.equal((await manager.get('/customers/export/?id=c_none')).status, 404)
  })

  test('an export contains what every address, the number and the refunds of a customer left behind', async () => {
    const id = await add({ name: 'Left traces', email: 'former@list.example' })
    await post('/customers/edit/', { id, email: 'present@list.example' })
    const other = await add({ name: 'Left alone', email: 'alone@list.example' })
    await site.sql("insert into sms_consent (customer_id, number, agreed_at) values (?, '+49301', 1)", [id])
    await suppress('former@list.example', 'present@list.example', '+49301', 'alone@list.example')
    for (const [nth, address] of ['former', 'present', 'alone'].entries())
      await site.sql("insert into bookings_access values (?, 'browser', ?, ?, 9999999999)", [
        ...[`export_${nth}`, `${address}@list.example`, nth],
      ])
    const given = await site.book(await site.slot(slots), { customerId: id })
    const own = await site.book(await site.slot(slots), { customerId: id })
    await insertPayment(id, 'pay_refunded')
    const refund = (name: string, reservation: string, at: number) =>
      site.sql(
        `insert into refund (id, payment_id, reservation_id, amount, currency, reason, state, created_at, updated_at)
         values (?, 'pay_refunded', ?, 100, 'EUR', ?, 'succeeded', ?, ?)`,
        [name, reservation, `${name} ill`, at, at],
      )
    await refund('earlier', given, 60)
    await refund('own', own, 70)
    assert.equal((await site.edit(given, { customerId: other })).status, 200)
    await refund('later', given, 9_999_999_999)
    const held = Object((await manager.get(`/customers/export/?id=${id}`)).body)
    const addressesOf = (entries: readonly { readonly address: string }[]) => entries.map(({ address }) => address)
    assert.deepEqual(addressesOf(held.suppressions), ['+49301', 'former@list.example', 'present@list.example'])
    assert.deepEqual(
      held.bookingsAccess.map(({ created }: { readonly created: number }) => created),
      [0, 1],
    )
    const refunded = { amount: 100, currency: 'EUR', state: 'succeeded' }
    assert.deepEqual(held.refunds, [
      { ...refunded, reason: 'earlier ill', reservationId: given, created: 60 },
      { ...refunded, reason: 'own ill', reservationId: own, created: 70 },
    ])
    const ofOther = Object((await manager.get(`/customers/export/?id=${other}`)).body)
    assert.deepEqual([addressesOf(ofOther.suppressions), ofOther.refunds], [['alone@list.example'], []])
  })

  test('an export contains all notes after a merge, and nothing of a customer to whom a reservation was given', async () => {
    const [id, other] = [
      await add({ name: 'Giver', email: 'giver@list.example' }),
      await add({ name: 'Taker', email: 'taker@list.example' }),
    ]
    const reservation = await site.book(await site.slot(slots), { customerId: id, data: { wish: 'window' } })
    for (const change of [{ customerId: other }, { data: { wish: 'wheelchair' } }, { status: 'cancelled' as const }])
      assert.equal((await site.edit(reservation, change)).status, 200)
    for (let nth = 0; nth < 205; nth += 1)
      await site.sql(
        'insert into customer_note (id, customer_id, person_id, text, created_at) values (?, ?, ?, ?, ?)',
        [...[`n_merged_${nth}`, id, 'u_1', `note ${nth}`, nth]],
      )
    const [ofGiver, ofTaker] = await Promise.all(
      [id, other].map(async (one) => Object((await manager.get(`/customers/export/?id=${one}`)).body)),
    )
    assert.equal(ofGiver.notes.length, 205)
    assert.equal(Object((await one(id)).more).notes.length, 205)
    assert.match(JSON.stringify(ofGiver.history), /window/)
    assert.doesNotMatch(JSON.stringify(ofGiver.history), new RegExp(`wheelchair|${other}`))
    assert.match(JSON.stringify(ofTaker.history), /wheelchair/)
    assert.doesNotMatch(JSON.stringify(ofTaker.history), new RegExp(id))
  })

  test('after an erasure the database contains no personal data, and past visits remain', async () => {
    const made = await site.post(
      '/customers/add/',
      { name: canary, email: `${canary}@list.example`, phone: '+49 30 77665544', language: 'de' },
      { query: { createUser: true }, headers: { 'Idempotency-Key': 'canary-1' } },
    )
    assert.equal(made.status, 201, made.text)
    const id = String(made.body.id)
    const past = await site.book(await site.slot(slots), { customerId: id, data: { wish: canary } })
    const removed = await site.book(await site.slot(slots), { customerId: id, data: { wish: canary } })
    await site.remove(removed)
    await post('/customers/notes/add/', { customerId: id, text: `About ${canary}` })
    await post('/customers/edit/', { id, name: `${canary} the second` })
    const twin = { name: `${canary} twin`, email: `${canary}2@list.example`, phone: '77665544' }
    const added = await site.post('/customers/add/', twin, { query: { createUser: true } })
    await post('/customers/merge/', { id, from: String(added.body.id) })
    const refused = await manager.post('/customers/erase/', { id })
    assert.deepEqual([refused.status, refused.body.reason], [403, 'customer_has_reservations'])
    await site.sql('update reservation set start_at = ?, end_at = ? where id = ?', [now - 7200, now - 3600, past])
    await site.sql(
      `insert into notification (id, kind, reservation_id, customer_id, recipient, locale, subject, state, reason,
         attempts, created_at, updated_at) values ('msg_1', 'confirmed', ?, ?, ?, 'en', ?, 'failed', ?, 1, ?, ?)`,
      [past, id, `${canary}@list.example`, canary, canary, now, now],
    )
    await site.sql('insert into mail_suppression (address_key, reason, detail, created_at) values (?, ?, ?, ?)', [
      ...[`${canary.toLowerCase()}@list.example`, 'bounced', canary, now],
    ])
    await post('/customers/erase/', { id })
    for (const text of [canary, '77665544', canary.toLowerCase()]) assert.deepEqual(await placesOf(text), [], text)
    const visit = (await manager.get(`/reservations/one/?id=${past}`)).body.response
    assert.deepEqual([visit.status, Object(visit.customer).name, visit.data], ['confirmed', 'Erased', {}])
    const feed = await site.get('/events/get/', { limit: 500 })
    assert.equal(feed.status, 200, feed.text)
    // The files of PostgreSQL are not checked, because they contain deleted rows until a vacuum.
    if (kind === 'sqlite') await absentFromFile([canary, canary.toLowerCase(), '77665544'])
  })

  test('an erasure removes the suppression of the own address, also without a record of a message', async () => {
    const id = await add({ name: 'Bounced', email: 'bounced@list.example' })
    await site.sql(
      "insert into mail_suppression (address_key, reason, detail, created_at) values ('bounced@list.example', 'bounced', '', 60)",
    )
    await post('/customers/erase/', { id })
    const left = await site.sql("select 1 from mail_suppression where address_key = 'bounced@list.example'")
    assert.deepEqual(left, [])
  })

  test('an erasure removes suppressions and access by every address that the customer had, also of a removed one', async () => {
    const id = await add({ name: 'Moved', email: 'first@list.example' })
    await post('/customers/edit/', { id, email: 'second@list.example' })
    await suppress('first@list.example', 'second@list.example')
    for (const [hash, address] of [
      ['access_1', 'first@list.example'],
      ['access_2', 'second@list.example'],
    ] as const)
      await site.sql("insert into bookings_access values (?, 'browser', ?, 1, 9999999999)", [hash, address])
    assert.equal((await site.post('/customers/remove/', undefined, { query: { id } })).status, 200)
    await post('/customers/erase/', { id })
    assert.deepEqual(await suppressed('first@list.example', 'second@list.example'), [])
    assert.deepEqual(await site.sql("select 1 from bookings_access where hash like 'access_%'"), [])
  })

  test('an erasure leaves the suppression of an address and a number that another customer has', async () => {
    const [id, other] = [
      await add({ name: 'Parent', email: 'family@list.example' }),
      await add({ name: 'Child', email: 'family@list.example' }),
    ]
    for (const customer of [id, other])
      await site.sql("insert into sms_consent (customer_id, number, agreed_at) values (?, '+4930', 1)", [customer])
    await suppress('family@list.example', '+4930')
    await post('/customers/erase/', { id })
    assert.deepEqual(await suppressed('family@list.example', '+4930'), ['+4930', 'family@list.example'])
    await post('/customers/erase/', { id: other })
    assert.deepEqual(await suppressed('family@list.example', '+4930'), [])
  })

  test('ratings are part of an export and gone after an erasure', async () => {
    const id = await add({ name: 'Rates', email: 'rates@list.example' })
    const reservation = await site.book(await site.slot(slots), { customerId: id })
    await site.sql('insert into rating (reservation_id, score, comment, created_at) values (?, 4, ?, 1)', [
      reservation,
      canary,
    ])
    await site.sql("update reservation set status = 'cancelled', source = ? where id = ?", [
      '{"referrer":"x"}',
      reservation,
    ])
    const exported = Object((await manager.get(`/customers/export/?id=${id}`)).body)
    assert.deepEqual(exported.ratings, [{ reservationId: reservation, score: 4, comment: canary }])
    await post('/customers/erase/', { id })
    assert.deepEqual(await site.sql('select comment from rating where reservation_id = ?', [reservation]), [])
    const [left] = await site.sql('select source from reservation where id = ?', [reservation])
    assert.equal(left?.source, null)
  })

  test('a customer without visits is deleted, and a shared host user stays', async () => {
    const shared = { name: 'Shared', email: 'shared@list.example' }
    const first = await site.post('/customers/add/', shared, { query: { createUser: true } })
    const second = await site.post('/customers/add/', shared, { query: { createUser: true } })
    await post('/customers/erase/', { id: String(first.body.id) })
    // The events have no content any more, and still name the customer whom an integration has to erase as well.
    const events = await site.eventsOf(String(first.body.id), 2)
    assert.deepEqual(
      events.map(({ type, object, previous }) => [type, object, previous]),
      ['customer.created', 'customer.erased'].map((type) => [type, null, null]),
    )
    assert.equal((await manager.get(`/customers/one/?id=${first.body.id}`)).status, 404)
    assert.notEqual(Object((await one(String(second.body.id))).more).hostUserId, 0)
    const users = await site.sql('select name from host_user where email = ?', [shared.email])
    assert.equal(users.length, 1)
    await post('/customers/erase/', { id: String(first.body.id) }, 404)
  })

  test('a removed customer is erased by id alone, with reservations that were reassigned', async () => {
    const word = 'Nachtigall'
    const id = await add({ name: word, email: `${word}@list.example`, phone: '+49 30 55443322' })
    const other = await add({ name: 'Another', email: 'another@list.example' })
    const given = await site.book(await site.slot(slots), { customerId: id, data: { wish: word, room: 3 } })
    await post('/reservations/note/', { id: given, note: `${word} rings twice.` })
    await site.sql('insert into rating (reservation_id, score, comment, created_at) values (?, 4, ?, 1)', [given, word])
    await site.sql('update reservation set source = ? where id = ?', [JSON.stringify({ page: word }), given])
    assert.equal((await site.edit(given, { customerId: other, data: { own: 'kept' } })).status, 200)
    const noted = await site.book(await site.slot(slots), { customerId: id })
    assert.equal((await site.edit(noted, { customerId: other })).status, 200)
    await post('/reservations/note/', { id: noted, note: 'Of another' })
    await site.sql('insert into rating (reservation_id, score, comment, created_at) values (?, 5, ?, ?)', [
      ...[noted, 'Fine', 9_999_999_999],
    ])
    assert.equal((await site.edit(noted, { status: 'cancelled' })).status, 200)
    assert.equal((await site.edit(given, { status: 'cancelled' })).status, 200)
    const cancelled = await site.book(await site.slot(slots), { customerId: id, data: { wish: word } })
    assert.equal((await site.edit(cancelled, { status: 'cancelled' })).status, 200)
    assert.equal((await site.post('/customers/remove/', undefined, { query: { id } })).status, 200)
    const logged = (name: string, to: string | null, subject: string) =>
      site.sql(
        `insert into notification (id, kind, reservation_id, customer_id, recipient, locale, subject, state, reason,
           attempts, created_at, updated_at) values (?, 'cancelled', ?, ?, ?, 'en', ?, 'sent', '', 1, ?, ?)`,
        [name, given, to, `${name}@list.example`, subject, now, now],
      )
    await logged('to_another', other, 'Cancelled')
    await logged('to_provider', null, `Cancelled: ${word}`)
    await logged('to_erased', id, 'Cancelled')
    assert.notDeepEqual(await placesOf(word), [], 'the log has it')
    await post('/customers/erase/', { id })
    const messages = await site.sql('select id from notification where reservation_id = ?', [given])
    assert.deepEqual(messages, [{ id: 'to_another' }], 'messages to another customer remain')
    const events = await site.sql('select type, body from event where object_id = ? and body is not null', [given])
    assert.deepEqual(
      events.map(({ type, body }) => [type, JSON.parse(String(body)).object.customerId]).toSorted(),
      ['reservation.cancelled', 'reservation.updated'].map((type) => [type, other]),
    )
    for (const text of [word, word.toLowerCase(), '55443322']) assert.deepEqual(await placesOf(text), [], text)
    const kept = (await manager.get(`/reservations/one/?id=${given}`)).body.response
    assert.deepEqual([Object(kept.customer).name, kept.data], ['Another', { own: 'kept' }])
    assert.equal((await manager.get(`/reservations/one/?id=${noted}`)).body.response.note, 'Of another')
    assert.equal((await site.sql('select 1 from rating where reservation_id = ?', [noted])).length, 1)
    await post('/customers/erase/', { id }, 404)
    await post('/customers/erase/', { id: 'c_none' }, 404)
    if (kind === 'sqlite') await absentFromFile([word, word.toLowerCase(), '55443322'])
  })

  test('a customer whose import was undone is erased', async () => {
    const word = 'Rohrdommel'
    const row = { name: word, email: `${word}@list.example`, phone: '', timezone: '', language: '' }
    const { response } = await post('/customers/import/', { rows: [row], shared: 'add' })
    const id = String(Object(response).outcomes[0].id)
    await post('/customers/import/undo/', { ids: [id] })
    assert.equal((await manager.get(`/customers/one/?id=${id}`)).status, 404)
    await post('/customers/erase/', { id })
    assert.deepEqual(await placesOf(word), [])
  })

  /**
   * Fails if the SQLite file contains one of the texts after a checkpoint of the whole WAL, or the WAL contains one,
   * since jobs of the service may write to it after the checkpoint.
   */
  async function absentFromFile(texts: readonly string[]): Promise<void> {
    const [checkpoint] = await site.sql('pragma wal_checkpoint(truncate)')
    assert.equal(checkpoint?.busy, 0)
    const file = readFileSync(join(site.server.dataDir, 'daybook.db'))
    const wal = readFileSync(join(site.server.dataDir, 'daybook.db-wal'))
    assert.ok(file.includes('Likes tea.'), 'what was not erased is there')
    for (const text of texts) assert.ok(!file.includes(text) && !wal.includes(text), text)
  }

  /** Returns, as `table.column`, every column of the database in which some row contains the text. */
  async function placesOf(text: string): Promise<string[]> {
    const columns =
      site.databaseUrl === undefined
        ? `select m.name as "table", p.name as "column" from sqlite_master m, pragma_table_info(m.name) p where m.type = 'table'`
        : `select table_name as "table", column_name as "column" from information_schema.columns where table_schema = current_schema()`
    const found: string[] = []
    for (const { table, column } of await site.sql(columns)) {
      const sql = `select count(*) as n from "${table}" where cast("${column}" as text) like ?`
      const [row] = await site.sql(sql, [`%${text}%`])
      if (Number(row?.n) > 0) found.push(`${table}.${column}`)
    }
    return found
  }
})
