import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben } from '../support/clinic.ts'
import { openPaymentTestSite, type PayingCustomers, type PaymentTestSite } from '../support/payment-test-site.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

type Row = Readonly<Record<string, unknown>>

onEachDatabase((open) => {
  let paying: PaymentTestSite
  let site: TestSite
  let admin: BrowserClient
  let payers: PayingCustomers
  let online = ''
  let onSite = ''
  before(async () => {
    paying = await openPaymentTestSite(open)
    ;({ site, admin, payers } = paying)
    await paying.connect()
    await site.setService('paid', { payment: { mode: 'online', taxBasisPoints: 1_900 } })
    online = (await payers.book()).id
    await payers.pay(online)
    const slot = await site.slot({ service: 'plain', provider: ben })
    onSite = await site.book(slot, { customerId: site.customer('Jo') })
    await site.sql('update reservation set payment = ? where id = ?', [
      JSON.stringify({ method: 'on_site', state: 'due', amount: 3_000, paid: 0, refunded: 0, currency: 'EUR' }),
      onSite,
    ])
    assert.equal((await admin.post('/payments/on-site/', { reservationId: onSite, amount: 3_000 })).status, 200)
    const back = { reservationId: onSite, amount: 1_000, from: 'on_site', reason: '=Late' }
    assert.equal((await admin.post('/payments/refund/', back)).status, 200)
  })
  after(() => paying.close())

  const listed = async (query = '', by = admin): Promise<Row[]> => {
    const answer = await by.get(`/payments/${query}`)
    assert.equal(answer.status, 200, answer.text)
    return Object(answer.body).response
  }
  const kinds = async (query: string) => (await listed(query)).map(({ kind }) => kind).sort()

  test('the list shows each movement with its reservation, the tax and the fee', async () => {
    const rows = await listed()
    const of = (kind: string) => Object(rows.find((row) => row.kind === kind))
    assert.deepEqual(rows.map(({ kind }) => kind).sort(), ['charge', 'fee', 'on_site', 'on_site_refund'])
    const charge = of('charge')
    assert.deepEqual(
      [charge.reservationId, charge.gross, charge.tax, charge.customer.name, charge.provider.id],
      [online, 4_500, 718, 'Ada', ana],
    )
    assert.match(charge.reference, /^pi_/)
    assert.deepEqual([of('fee').gross, of('fee').fee, of('fee').reservationId], [0, 93, null])
    assert.deepEqual([of('on_site').gross, of('on_site').tax, of('on_site_refund').gross], [3_000, null, -1_000])
  })

  test('filters narrow the list, a page holds as many as asked, and every filter counts', async () => {
    assert.deepEqual(await kinds('?kind=charge'), ['charge'])
    assert.deepEqual(await kinds(`?serviceId=${site.service('plain')}`), ['on_site', 'on_site_refund'])
    assert.deepEqual(await kinds(`?providerId=${ana}`), ['charge'])
    assert.deepEqual(await kinds('?search=Ada'), ['charge', 'fee'])
    assert.deepEqual(await kinds(`?search=${onSite}`), ['on_site', 'on_site_refund'])
    assert.deepEqual(await kinds('?from=2020-01-01&to=2020-12-31'), [])
    assert.equal((await listed('?page=2&per_page=3')).length, 1)
    assert.equal((await admin.get('/payments/?page=201&per_page=50')).status, 400)
  })

  test('the file for accountants has one line a posting and is inert in a spreadsheet', async () => {
    await site.sql("update customer set name = '=1+1' where id = ?", [site.customer('Jo')])
    const { status, text } = await admin.get('/payments/csv/')
    assert.equal(status, 200)
    const [head, ...lines] = text.replace('\uFEFF', '').trimEnd().split('\r\n')
    assert.equal(lines.length, 4)
    const cells = (kind: string) => {
      const values = (lines.find((line) => line.split(',')[2] === kind) ?? '').split(',')
      return Object.fromEntries((head ?? '').split(',').map((name, at) => [name, values[at]]))
    }
    const { reservation, gross, tax_rate, tax, debit, credit, currency } = cells('charge')
    assert.deepEqual(
      { reservation, gross, tax_rate, tax, debit, credit, currency },
      {
        reservation: online,
        gross: '45',
        tax_rate: '19',
        tax: '7.18',
        debit: 'processor',
        credit: 'sales',
        currency: 'EUR',
      },
    )
    assert.deepEqual([cells('on_site_refund').gross, cells('fee').fee, cells('fee').gross], ['-10', '0.93', '0'])
    assert.doesNotMatch(text, /[\n,][=+@]/)
  })

  test('the income of a period is what was paid less what went back, and the desk does not see it', async () => {
    const [row] = await site.sql('select min(posted_at) as at from ledger_posting')
    const today = new Date(Number(row?.at) * 1000).toISOString().slice(0, 10)
    const period = `from=${today}&to=${today}`
    const receptionist = (await insertSignedInUser(site, 'receptionist')).browser
    const asBen = (await insertSignedInUser(site, 'provider', { providerId: ben })).browser
    const received = async (by: BrowserClient) => Object((await by.get(`/today/?${period}`)).body).response.received
    assert.deepEqual(await received(admin), [{ currency: 'EUR', amount: 6_500 }])
    assert.deepEqual(await received(asBen), [{ currency: 'EUR', amount: 2_000 }])
    assert.deepEqual(await received(receptionist), [])
    assert.equal((await receptionist.get('/payments/')).status, 403)
    assert.equal((await receptionist.get('/payments/csv/')).status, 403)
    const report = async (by: string, who = admin): Promise<Row> => {
      const { response } = Object((await who.get(`/reports/?${period}&by=${by}`)).body)
      return Object.fromEntries(
        response.rows.flatMap((one: Row) => (Object(one.income).length ? [[one.key, one.income]] : [])),
      )
    }
    const euros = (amount: number) => [{ currency: 'EUR', amount }]
    assert.deepEqual(await report('provider'), { [ana]: euros(4_500), [ben]: euros(2_000) })
    assert.deepEqual(await report('provider', asBen), { [ben]: euros(2_000) })
    assert.deepEqual(await report('service'), {
      [site.service('paid')]: euros(4_500),
      [site.service('plain')]: euros(2_000),
    })
    assert.deepEqual(await report('month'), { [today.slice(0, 7)]: euros(6_500) })
    const next = new Date((Number(row?.at) + 86_400) * 1000).toISOString().slice(0, 10)
    const { rows } = Object((await admin.get(`/reports/?from=${next}&to=${next}&by=provider`)).body).response
    const [before] = rows.filter(({ key }: { key: string }) => key === String(ben))
    assert.deepEqual([before.income, before.previous.income], [[], euros(2_000)])
  })

  test('the list leads to the receipt of each payment, also after the reservation was removed', async () => {
    const rows = await listed()
    const receiptOf = (kind: string) => Object(rows.find((row) => row.kind === kind)).receipt
    assert.match(receiptOf('charge').number, /^\d{4}-\d{5}$/)
    assert.match(receiptOf('on_site_refund').number, /^C\d{4}-\d{5}$/)
    assert.equal(receiptOf('fee'), null)
    const slot = await site.slot({ service: 'plain', provider: ben })
    const id = await site.book(slot, { customerId: site.customer('Jo') })
    const payment = { method: 'on_site', state: 'due', amount: 500, paid: 0, refunded: 0, currency: 'EUR' }
    await site.sql('update reservation set payment = ? where id = ?', [JSON.stringify(payment), id])
    assert.equal((await admin.post('/payments/on-site/', { reservationId: id, amount: 500 })).status, 200)
    const back = { reservationId: id, amount: 500, from: 'on_site', reason: 'Moved away' }
    assert.equal((await admin.post('/payments/refund/', back)).status, 200)
    assert.equal((await site.remove(id)).status, 200)
    const receipts = (await listed(`?search=${id}`)).map(({ receipt }) => Object(receipt))
    assert.equal(receipts.length, 2)
    const { text } = await admin.get('/payments/csv/')
    for (const { id: receiptId, number } of receipts) {
      const page = await admin.get(`/payments/receipt/?id=${receiptId}`)
      assert.deepEqual([page.status, page.text.includes(number), text.includes(number)], [200, true, true])
    }
  })
})
