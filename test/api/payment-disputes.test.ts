import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BrowserClient } from '../support/browser-client.ts'
import { insertSignedInUser } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import {
  openPaymentTestSite,
  type PayingCustomers,
  type PaymentTestSite,
  waitUntil,
} from '../support/payment-test-site.ts'
import type { StripeStandIn } from '../support/stripe.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let paying: PaymentTestSite
  let site: TestSite
  let admin: BrowserClient
  let stripe: StripeStandIn
  let payers: PayingCustomers
  before(async () => {
    paying = await openPaymentTestSite(open)
    ;({ site, stripe, admin, payers } = paying)
    await paying.connect()
  })
  after(() => paying.close())

  /** Books on the booking page and pays online; returns the reservation's id and the processor's checkout session. */
  async function paid() {
    const { id } = await payers.book()
    const session = await payers.pay(id)
    return { id, session }
  }

  const shown = async (id: string) => Object((await admin.get(`/payments/reservation/?id=${id}`)).body.response)
  const undecided = async () => (await admin.get('/payments/disputes/')).body.response
  const eventsOf = async (type: string) => (await site.events()).filter((event) => event.type === type)
  const booked = async (id: string, kind: string) =>
    (
      await site.sql(
        `select e.debit, e.credit, e.amount from ledger_posting p join ledger_entry e on e.posting_id = p.id
        where p.kind = ? and (p.reservation_id = ? or p.payment_id in (select payment_id from payment_share where reservation_id = ?))
        order by e.amount`,
        [kind, id, id],
      )
    ).map(({ debit, credit, amount }) => [debit, credit, Number(amount)])

  test('a dispute takes the money in the books, tells the administrators, and leaves the reservation alone', async () => {
    const { id, session } = await paid()
    const before = await payers.reservation(id)
    stripe.dispute(session)
    const [event] = stripe.events.splice(0)
    for (let times = 0; times < 2; times++)
      assert.equal(await stripe.deliver(site.server.url, stripe.sign(Object(event))), 200)
    const disputes = await waitUntil(
      async () => (await shown(id)).disputes.length > 0 && (await shown(id)).disputes,
      'it',
    )
    assert.deepEqual(
      [disputes.length, disputes[0].state, disputes[0].amount, disputes[0].reason, disputes[0].dueAt > now],
      [1, 'open', 4_500, 'fraudulent', true],
    )
    assert.deepEqual(await booked(id, 'dispute'), [['disputes', 'processor', 4_500]])
    assert.deepEqual(await booked(id, 'fee'), [
      ['fees', 'processor', 93],
      ['fees', 'processor', 2_000],
    ])
    const { status, payment } = await payers.reservation(id)
    assert.deepEqual({ status, payment }, { status: before.status, payment: before.payment })
    assert.equal((await undecided()).length, 1)
    assert.equal((await shown(id)).processor, 0, 'a disputed amount cannot be refunded')
    const body = { reservationId: id, amount: 1, from: 'processor', reason: 'Ill' }
    assert.equal((await admin.post('/payments/refund/', body)).status, 400)
    assert.equal((await eventsOf('payment.disputed')).length, 1)
    const receptionist = (await insertSignedInUser(site, 'receptionist')).browser
    assert.equal((await receptionist.get('/payments/disputes/')).status, 403)
  })

  test('a dispute that is won gives the money back, and one that is lost does not', async () => {
    for (const outcome of ['won', 'lost'] as const) {
      const { id, session } = await paid()
      const dispute = stripe.dispute(session, 'unknown_to_us')
      await stripe.deliverAll(site.server.url)
      await waitUntil(async () => (await shown(id)).disputes[0]?.state === 'open', 'the dispute')
      stripe.decideDispute(dispute, outcome)
      await stripe.deliverAll(site.server.url)
      await waitUntil(async () => (await shown(id)).disputes[0]?.state === outcome, 'the decision')
      const won = outcome === 'won'
      assert.deepEqual(await booked(id, 'dispute_won'), won ? [['processor', 'disputes', 4_500]] : [])
      assert.equal((await shown(id)).processor, won ? 4_500 : 0)
      assert.equal((await eventsOf(`payment.dispute_${outcome}`)).length, 1)
      assert.equal((await payers.reservation(id)).status, 'confirmed')
    }
  })

  test('a later withdrawal and a later fee of the same dispute are added to the books, once', async () => {
    const { id, session } = await paid()
    const dispute = stripe.dispute(session)
    await stripe.deliverAll(site.server.url)
    await waitUntil(async () => (await shown(id)).disputes[0]?.state === 'open', 'the dispute')
    const { currency } = dispute
    stripe.balance.move({ type: 'adjustment', source: dispute.id, currency, amount: -300, fee: 0, category: 'dispute' })
    stripe.balance.move({
      type: 'adjustment',
      source: dispute.id,
      currency,
      amount: 0,
      fee: 1_500,
      category: 'dispute',
    })
    stripe.decideDispute(dispute, 'lost')
    const [event] = stripe.events.splice(0)
    for (let times = 0; times < 2; times++)
      assert.equal(await stripe.deliver(site.server.url, stripe.sign(Object(event))), 200)
    await waitUntil(async () => (await shown(id)).disputes[0]?.state === 'lost', 'the decision')
    assert.deepEqual(await booked(id, 'dispute'), [
      ['disputes', 'processor', 300],
      ['disputes', 'processor', 4_500],
    ])
    assert.deepEqual(await booked(id, 'fee'), [
      ['fees', 'processor', 93],
      ['fees', 'processor', 1_500],
      ['fees', 'processor', 2_000],
    ])
  })

  test('a dispute whose decision is not reported is asked about every day', async () => {
    const { id, session } = await paid()
    const dispute = stripe.dispute(session)
    await stripe.deliverAll(site.server.url)
    await waitUntil(async () => (await shown(id)).disputes[0]?.state === 'open', 'the dispute')
    stripe.decideDispute(dispute, 'won')
    stripe.events.length = 0
    const job = () =>
      site.sql("select run_at, state from job where kind = 'payment-dispute' and unique_key = ?", [dispute.id])
    const [waiting] = await waitUntil(async () => {
      const rows = await job()
      return rows[0]?.state === 'due' && rows
    }, 'the next question')
    assert.ok(Math.abs(Number(waiting?.run_at) - now - 86_400) < 600)
    await site.sql("update job set run_at = ? where kind = 'payment-dispute' and unique_key = ?", [now, dispute.id])
    await waitUntil(async () => (await shown(id)).disputes[0]?.state === 'won', 'the decision')
    await waitUntil(async () => (await job()).length === 0, 'the end of the job')
  })

  test('a dispute of a payment that is not ours changes nothing', async () => {
    const before = await site.sql('select count(*) as count from ledger_posting')
    const object = { object: 'dispute', id: 'du_strange', payment_intent: 'pi_strange' }
    const event = { id: 'evt_strange', object: 'event', type: 'charge.dispute.created', data: { object } }
    assert.equal(await stripe.deliver(site.server.url, stripe.sign(event)), 200)
    assert.deepEqual(await site.sql('select count(*) as count from ledger_posting'), before)
    assert.deepEqual(await site.sql("select 1 from job where unique_key = 'du_strange'"), [])
  })

  test('a dispute after the reservation was removed reduces the income by provider and by service alike', async () => {
    const { id, session } = await paid()
    const body = { reservationId: id, amount: 4_500, from: 'processor', reason: 'Ill' }
    assert.equal((await admin.post('/payments/refund/', body)).status, 200)
    await waitUntil(async () => (await booked(id, 'refund')).length > 0, 'the refund')
    assert.equal((await site.remove(id)).status, 200)
    stripe.dispute(session)
    await stripe.deliverAll(site.server.url)
    await waitUntil(async () => (await booked(id, 'dispute')).length > 0, 'the dispute')
    const [posted] = await site.sql('select min(posted_at) as at from ledger_posting')
    const today = new Date(Number(posted?.at) * 1000).toISOString().slice(0, 10)
    const report = async (by: string) => {
      const { body: found } = await admin.get(`/reports/?from=${today}&to=${today}&by=${by}`)
      const rows: readonly { readonly key: string; readonly income: readonly { readonly amount: number }[] }[] = Object(
        found.response,
      ).rows
      const amountOf = (key?: string) =>
        rows
          .filter((row) => key === undefined || row.key === key)
          .flatMap(({ income }) => income)
          .reduce((sum, { amount }) => sum + amount, 0)
      return { total: amountOf(), ofRemoved: amountOf('') }
    }
    const { total } = await report('month')
    for (const by of ['provider', 'service']) assert.deepEqual(await report(by), { total, ofRemoved: -4_500 }, by)
  })
})
