import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyOf } from '../../money.ts'
import { dueOnline, noShowFeeOf, paymentMethods, paymentRule, refundPercent } from './payment-rule.ts'

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
    const money = moneyOf({ price, currency: 'EUR' })
    const [method = 'on_site'] = paymentMethods(rule, money)
    assert.equal(dueOnline(rule, money, method), due)
  })

for (const [name, hours, percent] of [
  ['with the most notice, everything is refunded', 72, 100],
  ['a step counts from its very hour', 48, 100],
  ['the step with the most hours that the notice reaches decides', 47.9, 50],
  ['with less notice than any step, nothing is refunded', 1.9, 0],
  ['after the start, nothing is refunded', -1, 0],
] as const)
  test(name, () => {
    const refunds = [{ hours: 2, percent: 50 }, { hours: 48, percent: 100 }, { hours: 'many', percent: 1 }, null]
    assert.equal(refundPercent(paymentRule({ payment: { mode: 'online', refunds } }), hours * 3_600), percent)
  })

test('without steps nothing is refunded', () => assert.equal(refundPercent(paymentRule({ payment: null }), 1e9), 0))

test('a customer who may choose pays online or on site', () => {
  const rule = paymentRule({ payment: { mode: 'choice', taxBasisPoints: 1_900 } })
  const price = { amount: 100, currency: 'EUR' }
  assert.deepEqual(paymentMethods(rule, price), ['online', 'on_site'])
  assert.deepEqual([dueOnline(rule, price, 'online'), dueOnline(rule, price, 'on_site'), rule.taxPercent], [100, 0, 19])
})

for (const [name, payment, price, methods, fee] of [
  ['a card is saved for a fee', { mode: 'card', noShowFee: { percent: 40 } }, 4_500, ['card'], 1_800],
  ['without a fee, the price is paid on site', { mode: 'card' }, 4_500, ['on_site'], 0],
  ['a fee of zero asks for no card', { mode: 'card', noShowFee: { percent: 0 } }, 4_500, ['on_site'], 0],
  ['an amount is a fee for what is free', { mode: 'card', noShowFee: { amount: 900 } }, 0, ['card'], 900],
  ['a percentage of nothing is no fee', { mode: 'card', noShowFee: { percent: 50 } }, 0, [], 0],
  [
    'a card is one of the choices',
    { mode: 'choice', choices: ['on_site', 'card', 'cash'], noShowFee: { amount: 900 } },
    4_500,
    ['card', 'on_site'],
    900,
  ],
] as const)
  test(name, () => {
    const rule = paymentRule({ payment })
    const money = { amount: price, currency: 'EUR' }
    assert.deepEqual([paymentMethods(rule, money), noShowFeeOf(rule, money)], [methods, fee])
  })

test('a deposit and a fee in percent are amounts that the payment processor can charge', () => {
  const rule = paymentRule({ payment: { mode: 'online', deposit: { percent: 33 }, noShowFee: { percent: 12.5 } } })
  const dinars = { amount: 12_350, currency: 'KWD' }
  assert.deepEqual([dueOnline(rule, dinars, 'online'), noShowFeeOf(rule, dinars)], [4_080, 1_540])
})

test('a deposit and a fee that are amounts are rounded down to what the payment processor can charge', () => {
  const rule = paymentRule({ payment: { mode: 'online', deposit: { amount: 5_005 }, noShowFee: { amount: 2_009 } } })
  const price = (amount: number, currency: string) => ({ amount, currency })
  assert.deepEqual(
    [price(12_345, 'KWD'), price(12_345, 'EUR'), price(5_001, 'KWD')].map((one) => dueOnline(rule, one, 'online')),
    [5_000, 5_005, 5_001],
  )
  assert.deepEqual([noShowFeeOf(rule, price(0, 'KWD')), noShowFeeOf(rule, price(0, 'EUR'))], [2_000, 2_009])
})
