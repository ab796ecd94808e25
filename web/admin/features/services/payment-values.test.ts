import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentModes } from '../../../../src/catalogue/services/payment-rule.ts'
import { paymentOf, paymentValuesOf } from './payment-values.ts'

const refunds = [{ hours: 48, percent: 100 }]

for (const mode of paymentModes)
  test(`the refund rule of a service stays when its payment is changed to ${mode}`, () => {
    const values = paymentValuesOf({ mode: 'online', deposit: { percent: 20 }, refunds }, 'EUR')
    assert.deepEqual(paymentOf({ ...values, mode }, 'EUR')?.refunds, refunds)
  })

test('a deposit is not stored for a service that is not paid online', () => {
  const values = paymentValuesOf({ mode: 'online', deposit: { percent: 20 } }, 'EUR')
  assert.deepEqual(paymentOf({ ...values, mode: 'on_site' }, 'EUR'), { mode: 'on_site' })
})
