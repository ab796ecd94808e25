import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPaymentTestSite, type PaymentTestSite, waitUntil } from '../support/payment-test-site.ts'
import { onEachDatabase } from '../support/test-site.ts'

const type = 'payment_intent.succeeded'

onEachDatabase((open) => {
  let paying: PaymentTestSite
  before(async () => {
    paying = await openPaymentTestSite(({ env }) => open({ env: { ...env, DAYBOOK_LOG_LEVEL: 'warn' } }))
    await paying.connect()
  })
  after(() => paying.close())

  const deliver = (event: object | string) => paying.stripe.deliver(paying.site.server.url, paying.stripe.sign(event))
  /** Returns how many lines of the service's log match a pattern. */
  const logged = (line: RegExp) => paying.site.server.stderr.split('\n').filter((text) => line.test(text)).length

  for (const [what, event] of [
    ['that is no JSON', 'Ada Lovelace'],
    ['without an id', { type, data: { object: { billing_details: { name: 'Ada Lovelace' } } } }],
    ['without a type', { id: 'evt_untyped', name: 'Ada Lovelace' }],
    ['whose id cannot be stored', { id: 'evt_\0', type, name: 'Ada Lovelace' }],
  ] as const)
    test(`a signed event ${what} is acknowledged, not to be sent for days, and logged without its content`, async () => {
      const count = logged(/is unreadable/)
      assert.equal(await deliver(event), 200)
      await waitUntil(async () => logged(/is unreadable/) === count + 1, 'the log line')
      assert.equal(logged(/Ada|Lovelace/), 0)
    })

  test('a signed event about a payment of another program, whose id cannot be stored, is acknowledged', async () => {
    const object = { object: 'payment_intent', id: 'pi_foreign', metadata: { payment: 'a\0b' } }
    assert.equal(await deliver({ id: 'evt_foreign', type, data: { object } }), 200)
    const stored = await paying.site.sql("select type from processor_event where id = 'evt_foreign'")
    assert.deepEqual(stored, [{ type }])
  })

  test('an event that a fault prevents from being stored is to be sent again, and the fault is logged', async () => {
    const { sql } = paying.site
    const event = { id: 'evt_later', type, data: { object: { object: 'payment_intent', id: 'pi_later' } } }
    await sql('alter table processor_event rename to processor_event_gone')
    assert.equal(await deliver(event), 503)
    const line = /"route":"POST \/payments\/events\/stripe\/".*"msg":"fault"/
    await waitUntil(async () => logged(line) === 1, 'the log line')
    await sql('alter table processor_event_gone rename to processor_event')
    assert.equal(await deliver(event), 200)
  })
})
