import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { managePath } from '../../src/reservations/manage-secret.operations.ts'
import { textOf } from '../support/booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana } from '../support/clinic.ts'
import { MailServer, partOf } from '../support/mail-server.ts'
import {
  openPaymentTestSite,
  type PayingCustomers,
  type PaymentTestSite,
  waitUntil,
} from '../support/payment-test-site.ts'
import type { StripeStandIn } from '../support/stripe.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'
import { whenServed } from '../support/when-served.ts'

onEachDatabase((open) => {
  let paying: PaymentTestSite
  let site: TestSite
  let admin: BrowserClient
  let stripe: StripeStandIn
  let payers: PayingCustomers
  let mailServer: MailServer
  const seller = {
    name: 'Harbour Clinic Ltd',
    address: '1 Quay Street\nPort <Town>',
    taxNumber: 'DE123456789',
    years: 10,
  }
  before(async () => {
    paying = await openPaymentTestSite(open)
    ;({ site, stripe, admin, payers } = paying)
    await paying.connect()
    mailServer = await MailServer.open()
    const from = { name: 'The clinic', address: 'desk@clinic.example' }
    const smtp = { host: '127.0.0.1', port: mailServer.port, security: 'none', user: '' }
    assert.equal((await admin.post('/notifications/settings/edit/', { enabled: true, from, smtp })).status, 200)
    await site.setService('paid', { payment: { mode: 'online', taxBasisPoints: 1_900 } })
    assert.equal((await admin.post('/payments/receipts/settings/', seller)).status, 200)
  })
  after(async () => {
    // The service is closed before the SMTP server, because the service has open connections to that server.
    await paying.close()
    await mailServer.close()
  })

  const shown = async (id: string) => Object((await admin.get(`/payments/reservation/?id=${id}`)).body.response)
  const numbers = async (kind: string) =>
    (await site.sql('select number from receipt where kind = ? order by number', [kind])).map(({ number }) =>
      String(number),
    )
  const year = async () => String((await site.sql('select max(year) as year from receipt'))[0]?.year)
  const series = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${prefix}-${String(at + 1).padStart(5, '0')}`)

  /** Adds a reservation whose payment is due on site, and returns its id; `amount` in cents. */
  async function dueOnSite(amount = 4_500): Promise<string> {
    const id = await site.book(await site.slot({ service: 'plain', provider: ana }))
    const payment = { method: 'on_site', state: 'due', amount, paid: 0, refunded: 0, currency: 'EUR' }
    await site.sql('update reservation set payment = ? where id = ?', [JSON.stringify(payment), id])
    return id
  }

  test('a payment gets a receipt and its refund a credit note, which the customer prints in their language', async () => {
    const { visitor, id } = await payers.book('paid', { more: { name: 'Ada <Love>' } })
    await payers.pay(id)
    const [receipt] = (await shown(id)).receipts
    const of = await year()
    assert.deepEqual([receipt.kind, receipt.number, receipt.amount], ['receipt', `${of}-00001`, 4_500])
    const back = { reservationId: id, amount: 1_000, from: 'processor', reason: 'Ill' }
    assert.equal((await admin.post('/payments/refund/', back)).status, 200)
    await waitUntil(async () => (await shown(id)).receipts.length === 2, 'the credit note')
    const manage = await visitor.open('/manage/')
    assert.match(textOf(manage), new RegExp(`Receipt ${of}-00001.*Credit note C${of}-00001`, 's'))
    const page = await visitor.open(`/manage/receipt/?id=${receipt.id}`)
    assert.equal(page.status, 200)
    for (const text of [
      'Harbour Clinic Ltd',
      'Port <Town>',
      'DE123456789',
      'Ada <Love>',
      '€45.00',
      '19%',
      '€7.18',
      '€37.82',
    ])
      assert.ok(textOf(page).includes(text), `${text} in ${textOf(page)}`)
    const note = (await shown(id)).receipts[1]
    const credit = textOf(await visitor.open(`/manage/receipt/?id=${note.id}`))
    assert.match(credit, new RegExp(`For receipt\\s*${of}-00001`))
    assert.match(credit, /Amount returned\s*€10\.00/)
    const other = await payers.book()
    assert.equal((await other.visitor.open(`/manage/receipt/?id=${receipt.id}`)).status, 404)
    const receptionist = (await insertSignedInUser(site, 'receptionist')).browser
    const file = await receptionist.get(`/payments/receipt/?id=${receipt.id}`)
    assert.deepEqual([file.status, file.text.includes('Ada &lt;Love&gt;')], [200, true])
    assert.equal((await receptionist.get('/payments/receipt/?id=rec_none')).status, 404)
    await site.sql("update receipt set language = 'de' where id = ?", [receipt.id])
    assert.match((await receptionist.get(`/payments/receipt/?id=${receipt.id}`)).text, /Zahlungsbeleg.*45,00/s)
  })

  test('a receipt of a customer whose language has an underscore is in that language', async () => {
    const { visitor, id } = await payers.book()
    await site.sql('update customer set language = ? where id = (select customer_id from reservation where id = ?)', [
      'de_AT',
      id,
    ])
    await payers.pay(id)
    const [receipt] = (await shown(id)).receipts
    assert.match(textOf(await visitor.open(`/manage/receipt/?id=${receipt.id}`)), /Zahlungsbeleg.*45,00/s)
    assert.match((await admin.get(`/payments/receipt/?id=${receipt.id}`)).text, /Zahlungsbeleg.*45,00/s)
  })

  test('the mail that confirms a paid booking links to its receipt, and administrators are told of a dispute', async () => {
    const { id } = await payers.book()
    const session = await payers.pay(id)
    const [row] = await site.sql(
      'select c.email from reservation r join customer c on c.id = r.customer_id where r.id = ?',
      [id],
    )
    const confirmation = await waitUntil(
      async () =>
        mailServer.to(String(row?.email)).find((mail) => /^Confirmed/.test(mail.headers.get('subject') ?? '')),
      'the mail',
    )
    const [, number, link] = /Receipt (\d{4}-\d{5}): (http\S+)/.exec(partOf(confirmation, 'text/plain') ?? '') ?? []
    assert.ok(number && link)
    const other = payers.newVisitor()
    const { pathname, search } = new URL(link)
    assert.match(textOf(await other.open(pathname + search)), new RegExp(number))
    stripe.dispute(session)
    await stripe.deliverAll(site.server.url)
    const told = await waitUntil(
      async () => mailServer.received.find((mail) => /is disputed/.test(mail.headers.get('subject') ?? '')),
      'the mail to administrators',
    )
    assert.match(partOf(told, 'text/plain') ?? '', /a payment of 45\.00 EUR/)
  })

  test('a refund that fails takes its credit note back with a receipt', async () => {
    const { id } = await payers.book()
    const session = await payers.pay(id)
    stripe.slowRefunds = true
    await admin.post('/payments/refund/', { reservationId: id, amount: 500, from: 'processor', reason: 'Ill' })
    await waitUntil(async () => (await shown(id)).receipts.length === 2, 'the credit note')
    stripe.slowRefunds = false
    const refund = [...stripe.refunds.values()].find((one) => one.payment_intent === session.payment_intent)
    assert.ok(refund)
    stripe.decideRefund(refund, 'failed')
    await stripe.deliverAll(site.server.url)
    await waitUntil(async () => (await shown(id)).receipts.length === 3, 'the receipt')
    const [, note, again] = await site.sql(
      'select kind, number, corrects, amount from receipt where reservation_id = ? order by issued_at, id',
      [id],
    )
    assert.deepEqual([again?.kind, again?.corrects, Number(again?.amount)], ['receipt', note?.number, 500])
  })

  /** Returns kind, amount, number and corrected number of the documents of a reservation, the oldest first. */
  const documentsOf = async (id: string) =>
    (await site.sql('select * from receipt where reservation_id = ? order by issued_at, id', [id])).map((row) => {
      return { kind: row.kind, amount: Number(row.amount), number: row.number, corrects: row.corrects }
    })
  const giveBack = async (reservationId: string, amount: number, from: string) => {
    const body = { reservationId, amount, from, reason: 'Ill' }
    assert.equal((await admin.post('/payments/refund/', body)).status, 200)
  }

  test('the credit note of a refund names the receipt of the payment, also after another refund has failed', async () => {
    const { id } = await payers.book()
    const session = await payers.pay(id)
    stripe.slowRefunds = true
    await giveBack(id, 500, 'processor')
    await giveBack(id, 700, 'processor')
    await waitUntil(async () => (await documentsOf(id)).length === 3, 'the credit notes')
    stripe.slowRefunds = false
    const first = [...stripe.refunds.values()].find(
      (one) => one.payment_intent === session.payment_intent && one.amount === 500,
    )
    assert.ok(first)
    stripe.decideRefund(first, 'failed')
    await stripe.deliverAll(site.server.url)
    await waitUntil(async () => (await documentsOf(id)).length === 4, 'the receipt')
    await giveBack(id, 900, 'processor')
    const all = await waitUntil(async () => {
      const found = await documentsOf(id)
      return found.length === 5 && found
    }, 'the last credit note')
    const numberOf = (kind: string, amount: number) =>
      all.find((one) => one.kind === kind && one.amount === amount)?.number
    assert.deepEqual(
      all.map(({ amount, corrects }) => [amount, corrects]).toSorted(([a], [b]) => Number(a) - Number(b)),
      [
        [500, numberOf('receipt', 4_500)],
        [500, numberOf('credit_note', 500)],
        [700, numberOf('receipt', 4_500)],
        [900, numberOf('receipt', 4_500)],
        [4_500, null],
      ],
    )
  })

  test('a receipt names the customer who paid, and is not shown to a later customer of the reservation', async () => {
    const paid = await payers.book('paid', { more: { name: 'Payer' } })
    await payers.pay(paid.id)
    const atDesk = await dueOnSite()
    const take = async (reservationId: string, amount: number) =>
      assert.equal((await admin.post('/payments/on-site/', { reservationId, amount })).status, 200)
    await take(atDesk, 1_000)
    const namesOf = async (id: string) => {
      const receipts: { id: string }[] = (await shown(id)).receipts
      const pages = await Promise.all(receipts.map((one) => admin.get(`/payments/receipt/?id=${one.id}`)))
      return pages.map(({ text }) => /<dt>Customer<\/dt><dd>([^<]*)</.exec(text)?.[1])
    }
    for (const id of [paid.id, atDesk]) {
      assert.equal((await site.edit(id, { customerId: site.customer('Kim') })).status, 200)
      // The times of events and receipts are in seconds.
      const customer = `%"customerId":"${site.customer('Kim')}"%`
      await site.sql('update receipt set issued_at = issued_at - 60 where reservation_id = ?', [id])
      await site.sql(
        'update payment set created_at = created_at - 60 where id in (select payment_id from payment_share where reservation_id = ?)',
        [id],
      )
      await site.sql('update event set created_at = created_at - 90 where object_id = ? and body not like ?', [
        id,
        customer,
      ])
    }
    await take(atDesk, 500)
    await giveBack(paid.id, 700, 'processor')
    await waitUntil(async () => (await documentsOf(paid.id)).length === 2, 'the credit note')
    assert.deepEqual(
      [await namesOf(paid.id), await namesOf(atDesk)],
      [
        ['Payer', 'Payer'],
        ['Jo', 'Kim'],
      ],
    )
    const [stored] = await site.sql('select link_secret from site')
    const link = (id: string) => managePath({ linkSecret: String(stored?.link_secret) }, { id, linkVersion: 1 })
    const kim = payers.newVisitor()
    const page = await kim.open(link(paid.id))
    assert.equal(page.status, 200)
    assert.doesNotMatch(textOf(page), /\d{4}-\d{5}/)
    const [{ id: foreign }] = (await shown(paid.id)).receipts
    assert.equal((await kim.open(`${link(paid.id)}receipt/?id=${foreign}`)).status, 404)
    const own = (await documentsOf(atDesk)).at(-1)?.number
    assert.deepEqual(textOf(await kim.open(link(atDesk))).match(/\d{4}-\d{5}/g), [own])
    const exported = async (name: string) => {
      const { body } = await admin.get(`/customers/export/?id=${site.customer(name)}`)
      const receipts: { number: string; reservationId: string }[] = Object(body).receipts
      return receipts.filter(({ reservationId }) => reservationId === atDesk).map(({ number }) => number)
    }
    const [first] = await documentsOf(atDesk)
    assert.deepEqual([await exported('Jo'), await exported('Kim')], [[first?.number], [own]])
  })

  test('the log and the receipts of a customer outlive the erasure of a later customer of the reservation', async () => {
    const add = async (name: string) =>
      String((await admin.post('/customers/add/', { name, email: `${name}@list.example` })).body.id)
    const [payer, later] = [await add('payer'), await add('later')]
    const slot = await site.slot({ service: 'plain', provider: ana })
    const id = await site.book(slot, { customerId: payer, data: { wish: 'window seat' } })
    const payment = { method: 'on_site', state: 'due', amount: 4_500, paid: 0, refunded: 0, currency: 'EUR' }
    await site.sql('update reservation set payment = ? where id = ?', [JSON.stringify(payment), id])
    const take = async () =>
      assert.equal((await admin.post('/payments/on-site/', { reservationId: id, amount: 1_000 })).status, 200)
    await take()
    // The times of events and receipts are in seconds.
    await site.sql('update receipt set issued_at = issued_at - 60 where reservation_id = ?', [id])
    await site.sql('update event set created_at = created_at - 90 where object_id = ?', [id])
    assert.equal((await site.edit(id, { customerId: later, data: { wish: 'ground floor' } })).status, 200)
    await take()
    await site.sql('update reservation set start_at = 0, end_at = 60 where id = ?', [id])
    assert.equal((await admin.post('/customers/erase/', { id: later })).status, 200)
    const inLog = async (text: string) =>
      (await site.sql('select type from event where object_id = ? and body like ?', [id, `%${text}%`])).length
    assert.deepEqual([await inLog(later), await inLog('ground floor')], [0, 0])
    const { body } = await admin.get(`/customers/export/?id=${payer}`)
    const { history, receipts } = Object(body)
    const ofReservation: { type: string; object: unknown; previous: unknown }[] = history.filter(
      (event: { id: string }) => event.id === id,
    )
    assert.deepEqual(
      ofReservation.map(({ type, object, previous }) => [type, Object(object).data, Object(previous).data]),
      [
        ['reservation.created', { wish: 'window seat' }, undefined],
        // The payment, the reassignment, and the payment of the erased customer.
        ['reservation.updated', { wish: 'window seat' }, { wish: 'window seat' }],
        ['reservation.updated', undefined, { wish: 'window seat' }],
        ['reservation.updated', undefined, undefined],
      ],
    )
    const [first] = await documentsOf(id)
    assert.deepEqual(
      receipts.map(({ number }: { number: string }) => number),
      [first?.number],
    )
    assert.equal((await admin.post('/customers/erase/', { id: payer })).status, 200)
    assert.deepEqual([await inLog(payer), await inLog('window seat')], [0, 0])
  })

  test('credit notes of vouchers and of payments at the desk each name the receipt of what is returned', async () => {
    const id = await dueOnSite()
    const redeem = async (amount: number) => {
      const voucher = { amount, currency: 'EUR', validUntil: null, language: 'en' }
      const { code } = Object((await admin.post('/payments/vouchers/issue/', voucher)).body.response)
      assert.equal((await admin.post('/payments/vouchers/redeem/', { reservationId: id, code })).status, 200)
    }
    await redeem(1_000)
    await redeem(700)
    for (const amount of [800, 600])
      assert.equal((await admin.post('/payments/on-site/', { reservationId: id, amount })).status, 200)
    await giveBack(id, 1_700, 'voucher')
    await giveBack(id, 600, 'on_site')
    await giveBack(id, 800, 'on_site')
    const all = await documentsOf(id)
    const notes = all.filter(({ kind }) => kind === 'credit_note')
    assert.deepEqual(notes.map(({ amount }) => amount).toSorted(), [1_000, 600, 700, 800].toSorted())
    for (const { amount, corrects } of notes)
      assert.equal(corrects, all.find((one) => one.kind === 'receipt' && one.amount === amount)?.number, `${amount}`)
  })

  test('numbers have no gaps, however many are issued at once and however many are refused', async () => {
    const before = (await numbers('receipt')).length
    const ids = [await dueOnSite(), await dueOnSite(), await dueOnSite()]
    // For each reservation, four of ten payments of 1,000 cents fit into the 4,500 cents due; the others are refused
    // and must not use a receipt number.
    // On a busy machine, some of the requests wait longer for the others than the service lets them.
    const post = (path: string, body: object) => whenServed(() => admin.post(path, body))
    const take = (reservationId: string) => post('/payments/on-site/', { reservationId, amount: 1_000 })
    const answers = await Promise.all(ids.flatMap((id) => Array.from({ length: 10 }, () => take(id))))
    assert.equal(answers.filter(({ status }) => status === 200).length, 12)
    const give = (reservationId: string) =>
      post('/payments/refund/', { reservationId, amount: 1_000, from: 'on_site', reason: 'Ill' })
    const credits = (await numbers('credit_note')).length
    const mixed = await Promise.all(ids.flatMap((id) => [give(id), take(id), give(id), give(id)]))
    assert.ok(mixed.filter(({ status }) => status === 200).length >= 9)
    const of = await year()
    assert.deepEqual(await numbers('receipt'), series(of, (await numbers('receipt')).length))
    assert.ok((await numbers('receipt')).length >= before + 12)
    assert.deepEqual(await numbers('credit_note'), series(`C${of}`, credits + 9))
    const counters = await site.sql('select series, last from receipt_counter order by series')
    assert.deepEqual(
      counters.map((row) => [row.series, Number(row.last)]),
      [
        [of, (await numbers('receipt')).length],
        [`C${of}`, credits + 9],
      ],
    )
  })

  test('receipts name no customer and outlive their erasure until the years are over', async () => {
    const id = await dueOnSite()
    await admin.post('/payments/on-site/', { reservationId: id, amount: 4_500 })
    const [receipt] = (await shown(id)).receipts
    const customerId = site.customer('Jo')
    await site.sql("update reservation set status = 'cancelled' where customer_id = ?", [customerId])
    const page = async () => (await admin.get(`/payments/receipt/?id=${receipt.id}`)).text
    assert.match(await page(), /<dt>Customer<\/dt><dd>Jo<\/dd>/)
    const rows = JSON.stringify(await site.sql('select * from receipt'))
    // Whole words: a random id can contain the three letters of a name.
    assert.doesNotMatch(rows, /\b(?:Jo|Ada)\b|@|\bc_/)
    const erased = await admin.post('/customers/erase/', { id: customerId })
    assert.equal(erased.status, 200, erased.text)
    await waitUntil(async () => !/<dt>Customer<\/dt><dd>Jo/.test(await page()), 'the page without a name')
    assert.match(await page(), new RegExp(String(receipt.number)))
    const kept = await site.sql('select count(*) as count from receipt')
    const sweep = async () => {
      await site.sql("update job set run_at = 0 where kind = 'sweep'")
      await waitUntil(async () => {
        const [row] = await site.sql("select run_at from job where kind = 'sweep'")
        return Number(row?.run_at) > 0
      }, 'the sweep')
    }
    await site.sql('update receipt set year = year - 10 where id <> ?', [receipt.id])
    await sweep()
    assert.deepEqual(await site.sql('select count(*) as count from receipt'), kept)
    await site.sql('update receipt set year = year - 1 where id <> ?', [receipt.id])
    await sweep()
    await waitUntil(async () => Number((await site.sql('select count(*) as count from receipt'))[0]?.count) === 1, 'it')
    const manager = (await insertSignedInUser(site, 'manager')).browser
    assert.equal((await manager.post('/payments/receipts/settings/', seller)).status, 403)
    assert.equal((await admin.post('/payments/receipts/settings/', { ...seller, years: 0 })).status, 400)
  })
})
