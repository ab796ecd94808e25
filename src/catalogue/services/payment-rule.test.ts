import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dueOnline, paymentMethods, paymentRule } from './payment-rule.ts'

type Payment = Readonly<Record<string, unknown>> | null

const cases: readonly (readonly [name: string, payment: Payment, price: number | null, due: number])[] = [
  ['a service without a rule is not paid online', null, 4_500, 0],
  ['an unknown mode counts as none', { mode: 'later' }, 4_500, 0],
  ['a service paid on site is not paid online', { mode: 'on_site' }, 4_500, 0],
  ['a service paid online is paid in full', { mode: 'online' }, 4_500, 4_500],
  ['a deposit may be a percentage', { mode: 'online', deposit: { percent: 20 } }, 4_500, 900],
  ['a percentage may have decimals', { mode: 'online', deposit: { percent: 12.5 } }, 999, 125],
  ['a deposit may be an amount', { mode: 'online', deposit: { amount: 1_000 } }, 4_500, 1_000],
  ['a deposit is never more than the price', { mode: 'online', deposit: { amount: 9_000 } }, 4_500, 4_500],
  ['a deposit that is malformed counts as none', { mode: 'online', deposit: { percent: 101 } }, 4_500, 4_500],
  ['a price of zero is not paid', { mode: 'online' }, 0, 0],
  ['without a price there is nothing to pay', { mode: 'online' }, null, 0],
]

for (const [name, payment, price, due] of cases)
  test(name, () => {
    const rule = paymentRule({ payment })
    const [method = 'on_site'] = paymentMethods(rule, price)
    assert.equal(dueOnline(rule, price, method), due)
  })

test('a customer who may choose pays online or on site', () => {
  const rule = paymentRule({ payment: { mode: 'choice', taxBasisPoints: 1_900 } })
  assert.deepEqual(paymentMethods(rule, 100), ['online', 'on_site'])
  assert.deepEqual([dueOnline(rule, 100, 'online'), dueOnline(rule, 100, 'on_site'), rule.taxPercent], [100, 0, 19])
})
