import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { balanceKey, balancesOf } from '../../src/payments/ledger/ledger.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
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
    stripe.balance.perPage = 2
  })
  after(() => paying.close())

  const shown = async () => Object((await admin.get('/payments/reconciliation/')).body.response)
  const doctor = async () => {
    const { checks } = Object((await admin.get('/system/')).body.response)
    return checks.find(({ check }: { check: { code: string } }) => check.code === 'check_payments')
  }
  const job = () => site.sql("select state, run_at from job where kind = 'payment-reconciliation'")
  const found = async () =>
    (await shown()).differences.map((one: Record<string, unknown>) => [one.kind, one.reference, one.booked, one.found])

  /** Runs the periodic job that queues the comparison of the night. */
  async function plan(): Promise<void> {
    await site.sql("update job set run_at = ? where kind = 'plan-reconciliation'", [now])
    await waitUntil(async () => {
      const [row] = await site.sql("select state, run_at from job where kind = 'plan-reconciliation'")
      return row?.state === 'due' && Number(row.run_at) > now
    }, 'the plan')
  }

  /** Books on the booking page and pays online; `told` says whether the processor's events are delivered. */
  async function paid({ told = true } = {}) {
    const { id } = await payers.book()
    const session = await payers.sessionOf(id)
    stripe.pay(session)
    if (told) {
      await stripe.deliverAll(site.server.url)
      await payers.waitForConfirmation(id)
    } else stripe.events.length = 0
    return { id, session }
  }

  /**
   * Dates all transactions and payouts of the processor two hours back, because reconciliation leaves out the last
   * hour.
   */
  function age(): void {
    for (const one of [...stripe.balance.transactions, ...stripe.balance.payouts])
      Object.assign(one, { created: now - 7_200 })
  }

  /**
   * Runs a reconciliation, the comparison of the ledger with the processor's transactions. Resolves when its job has
   * ended or waits for the next comparison.
   */
  async function compare(): Promise<void> {
    age()
    const ran = stripe.requests.filter((request) => request === 'GET /v1/payouts').length
    assert.equal((await admin.post('/payments/reconciliation/', {})).status, 200)
    await waitUntil(async () => {
      const rows = await job()
      const asked = stripe.requests.filter((request) => request === 'GET /v1/payouts').length
      return asked > ran && (rows.length === 0 || Number(rows[0]?.run_at) > now + 60)
    }, 'the comparison')
  }

  /** Inserts a paid payment of 5 EUR with its ledger entry; the processor has no transaction of this payment. */
  async function insertPaid(name: string, purpose: 'pay' | 'fee', checkoutId: string | null): Promise<void> {
    const at = now - 7_200
    await site.sql(
      `insert into payment (id, customer_id, amount, currency, purpose, state, checkout_id, charge_id, expires_at, created_at,
       updated_at) values (?, ?, 500, 'EUR', ?, 'paid', ?, ?, 0, ?, ?)`,
      [`pay_${name}`, site.customer('Jo'), purpose, checkoutId, `pi_${name}`, at, at],
    )
    await site.sql(
      `insert into ledger_posting (id, kind, source, payment_id, posted_at) values (?, 'charge', ?, ?, ?)`,
      [`led_${name}`, `charge:${name}`, `pay_${name}`, at],
    )
    await site.sql(
      `insert into ledger_entry (posting_id, n, debit, credit, amount, currency)
       values (?, 1, 'processor', 'sales', 500, 'EUR')`,
      [`led_${name}`],
    )
  }

  test('books that agree are compared without a difference, whatever the pages are', async () => {
    const one = await paid()
    await paid()
    const body = { reservationId: one.id, amount: 1_000, from: 'processor', reason: 'Ill' }
    assert.equal((await admin.post('/payments/refund/', body)).status, 200)
    await waitUntil(async () => stripe.refunded(String(one.session.payment_intent)) === 1_000, 'the refund')
    await waitUntil(async () => (await site.sql("select 1 from refund where state = 'pending'")).length === 0, 'it')
    const { session } = await paid()
    stripe.dispute(session)
    await stripe.deliverAll(site.server.url)
    await waitUntil(async () => (await site.sql('select 1 from dispute')).length > 0, 'the dispute')
    await compare()
    const { ranAt, compared, differences } = await shown()
    assert.deepEqual([differences, compared], [[], 5])
    assert.ok(Math.abs(ranAt - now) < 600)
    assert.equal((await doctor()).state, 'ok')
  })

  test('a payment whose events were lost is found, asked about, and agrees the next time', async () => {
    const { id, session } = await paid({ told: false })
    await compare()
    assert.deepEqual(await found(), [['charge', session.payment_intent, null, 4_500]])
    await payers.waitForConfirmation(id)
    assert.equal((await doctor()).state, 'ok', 'what was found once is not yet told')
    await compare()
    assert.deepEqual(await found(), [])
  })

  test('a refund that was made elsewhere is told once, until an administrator settles it', async () => {
    const { session } = await paid()
    const [amount, currency] = [700, 'eur']
    const refund = {
      id: 're_dashboard',
      payment_intent: String(session.payment_intent),
      amount,
      currency,
      metadata: {},
    }
    stripe.refunds.set(refund.id, { ...refund, status: 'succeeded' })
    stripe.balance.move({ type: 'refund', source: refund.id, amount: -amount, currency })
    const told = async () => (await admin.get('/history/?type=payment_settings.differences_found')).body.response.length
    await compare()
    assert.equal(await told(), 0)
    await compare()
    await compare()
    assert.deepEqual([await found(), await told()], [[['refund', 're_dashboard', null, 700]], 1])
    assert.deepEqual([(await doctor()).state, (await doctor()).message.code], ['warn', 'payments_differ'])
    const manager = (await insertSignedInUser(site, 'manager')).browser
    const [{ id }] = (await shown()).differences
    assert.equal((await manager.post('/payments/differences/resolve/', { id })).status, 403)
    assert.equal((await admin.post('/payments/differences/resolve/', { id: 'refund:none' })).status, 404)
    assert.equal((await admin.post('/payments/differences/resolve/', { id })).status, 200)
    await compare()
    assert.deepEqual([await found(), await told(), (await doctor()).state], [[], 1, 'ok'])
  })

  test('a difference that disappeared by itself is told again when it is back', async () => {
    await insertPaid('gone', 'pay', 'cs_gone')
    const told = async () => (await admin.get('/history/?type=payment_settings.differences_found')).body.response.length
    const before = await told()
    await compare()
    await compare()
    const [known] = (await shown()).differences
    assert.deepEqual([known?.reference, await told()], ['pi_gone', before + 1])
    const seen = { type: 'charge', source: 'ch_pi_gone', amount: 500, fee: 0, currency: 'eur' } as const
    const card = { id: 'pi_gone', customer: 'cus_gone', amount: 500, currency: 'eur', metadata: {} }
    stripe.cards.intents.set('pi_gone', { ...card, status: 'succeeded', error: null })
    stripe.balance.move(seen)
    await compare()
    assert.deepEqual(await found(), [])
    stripe.balance.transactions.pop()
    await compare()
    await compare()
    assert.deepEqual([await found(), await told()], [[['charge', 'pi_gone', 500, null]], before + 2])
    const [{ id }] = (await shown()).differences
    await admin.post('/payments/differences/resolve/', { id })
  })

  test('a charge that only the books know is found', async () => {
    await insertPaid('strange', 'pay', 'cs_strange')
    await insertPaid('charged', 'fee', null)
    await compare()
    await compare()
    assert.deepEqual(await found(), [
      ['charge', 'pi_charged', 500, null],
      ['charge', 'pi_strange', 500, null],
    ])
    for (const { id } of (await shown()).differences) await admin.post('/payments/differences/resolve/', { id })
  })

  test('a fee that was charged to a saved card before the period is found at the processor by its id', async () => {
    await insertPaid('earlier', 'fee', null)
    stripe.cards.intents.set('pi_earlier', {
      ...{ id: 'pi_earlier', customer: 'cus_earlier', amount: 500, currency: 'eur', metadata: {} },
      ...{ status: 'succeeded', error: null },
    })
    await compare()
    assert.deepEqual(await found(), [])
  })

  test('the comparison of the night replaces none that is due earlier', async () => {
    await insertPaid('unconfirmed', 'fee', null)
    await compare()
    const [repeated] = await job()
    assert.ok(Number(repeated?.run_at) < now + 1_800, String(repeated?.run_at))
    await plan()
    assert.deepEqual(await job(), [repeated])
    await compare()
    assert.deepEqual(await found(), [['charge', 'pi_unconfirmed', 500, null]])
    for (const { id } of (await shown()).differences) await admin.post('/payments/differences/resolve/', { id })
    stripe.down = true
    assert.equal((await admin.post('/payments/reconciliation/', {})).status, 200)
    await waitUntil(async () => Number((await job())[0]?.run_at) > now, 'the next attempt')
    await plan()
    const [retried] = await job()
    assert.ok(Number(retried?.run_at) < now + 1_800, String(retried?.run_at))
    stripe.down = false
    await compare()
  })

  test('payouts are matched with their movements, and leave at the processor what others paid', async () => {
    const foreign = stripe.balance.move({ type: 'charge', source: 'ch_foreign', amount: 777, currency: 'eur' })
    const owed = async () => {
      const rows = await site.sql('select debit, credit, amount, currency from ledger_entry')
      const entries = rows.map((row) => ({ ...row, amount: Number(row.amount) }))
      return balancesOf(entries as never).get(balanceKey('processor', 'EUR')) ?? 0
    }
    const [before, payout] = [await owed(), stripe.balance.payOut()]
    await compare()
    const [shownPayout] = (await shown()).payouts
    assert.deepEqual(
      [shownPayout.amount, shownPayout.own, shownPayout.matched, shownPayout.state],
      [payout.amount, payout.amount - foreign.amount, true, 'paid'],
    )
    assert.equal(await owed(), before - shownPayout.own)
    payout.status = 'failed'
    await compare()
    await compare()
    assert.equal(await owed(), before)
    stripe.balance.move({ type: 'charge', source: 'ch_other', amount: 5_000, currency: 'eur' })
    const wrong = stripe.balance.payOut({ missing: 5 })
    await compare()
    assert.deepEqual(await found(), [['payout', wrong.id, 5_000, 4_995]])
  })

  test('the comparison is queued for the night, and a processor that is down is asked again', async () => {
    stripe.down = true
    assert.equal((await admin.post('/payments/reconciliation/', {})).status, 200)
    await waitUntil(async () => Number((await job())[0]?.run_at) > now, 'the next attempt')
    stripe.down = false
    await compare()
    await site.sql("delete from job where kind = 'payment-reconciliation'")
    await plan()
    const [queued] = await waitUntil(async () => {
      const rows = await job()
      return rows.length > 0 && rows
    }, 'the job of the night')
    const wait = Number(queued?.run_at) - now
    assert.ok(wait > 0 && wait <= 86_400, String(wait))
  })

  test('with more differences than are recorded, those that are not listed stay open', async () => {
    const { session } = await paid()
    const elsewhere = (id: string): void => {
      const refund = { id, payment_intent: String(session.payment_intent), amount: 100, currency: 'eur', metadata: {} }
      stripe.refunds.set(id, { ...refund, status: 'succeeded' })
      stripe.balance.move({ type: 'refund', source: id, amount: -100, currency: 'eur' })
    }
    const openOnes = async (reference: string) =>
      Number(
        (
          await site.sql(
            'select count(*) as n from payment_difference where reference like ? and resolved_at is null',
            [reference],
          )
        )[0]?.n,
      )
    stripe.balance.perPage = 100
    const before = stripe.balance.transactions.splice(0)
    elsewhere('re_first')
    await compare()
    assert.equal(await openOnes('re_first'), 1)
    // One comparison records at most 500 new differences. The processor lists the newest transactions first, so the 500
    // newer ones fill this limit, and the comparison does not reach `re_first`.
    for (let n = 0; n < 500; n++) elsewhere(`re_many_${n}`)
    await compare()
    assert.deepEqual([await openOnes('re_many_%'), await openOnes('re_first')], [500, 1])
    stripe.balance.transactions.splice(1, 500)
    await compare()
    assert.deepEqual([await openOnes('re_many_%'), await openOnes('re_first')], [0, 1])
    stripe.balance.transactions.splice(0, Infinity, ...before)
  })
})
