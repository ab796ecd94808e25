import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minorDigits } from '../../money.ts'
import { reduced, reductionOf, repriced, unpaid } from '../../reservations/payment.ts'
import { chargeableFloor } from '../chargeable.ts'
import { toStripe } from '../stripe/stripe-amount.ts'
import { type Coupon, type CouponCase, codePattern, couponCode, isUsable, worthOfSeats } from './coupon.ts'

const coupon: Coupon = {
  ...{ id: 'cpn_1', code: 'SUMMER10', worth: { percent: 10 }, currency: null, validFrom: null, validUntil: null },
  ...{ maxUses: null, maxUsesPerCustomer: null, serviceIds: [], active: true, createdAt: 0 },
}
const booking: CouponCase = { serviceId: 's', currency: 'EUR', today: '2026-07-01', uses: 0, usesOfCustomer: 0 }

const cases: readonly (readonly [string, Partial<Coupon>, Partial<CouponCase>, boolean])[] = [
  ['without limits', {}, {}, true],
  ['on its first date', { validFrom: '2026-07-01' }, {}, true],
  ['before its first date', { validFrom: '2026-07-02' }, {}, false],
  ['on its last date', { validUntil: '2026-07-01' }, {}, true],
  ['after its last date', { validUntil: '2026-06-30' }, {}, false],
  ['that is switched off', { active: false }, {}, false],
  ['of this service', { serviceIds: ['s'] }, {}, true],
  ['of another service', { serviceIds: ['t'] }, {}, false],
  ['for what costs nothing', {}, { currency: null }, false],
  ['with an amount in another currency', { currency: 'USD' }, {}, false],
  ['with a use left', { maxUses: 2 }, { uses: 1 }, true],
  ['without a use left', { maxUses: 2 }, { uses: 2 }, false],
  ['that this customer has used', { maxUsesPerCustomer: 1 }, { uses: 5, usesOfCustomer: 1 }, false],
]
for (const [what, own, of, usable] of cases)
  test(`a coupon ${what} is ${usable ? 'accepted' : 'refused'}`, () =>
    assert.equal(isUsable({ ...coupon, ...own }, { ...booking, ...of }), usable))

test('a code is compared without regard to case and spaces', () => {
  assert.equal(couponCode(' summer 10\t'), 'SUMMER10')
  assert.ok(codePattern.test(couponCode('für-2')))
  for (const text of ['AB', 'A B!', 'X'.repeat(41)]) assert.ok(!codePattern.test(couponCode(text)), text)
})

test('the reductions of the seats sum to the amount of the coupon, and never exceed the price', () => {
  const currencies = ['JPY', 'EUR', 'KWD']
  fc.assert(
    fc.property(
      fc.constantFrom(...currencies),
      fc.integer({ min: 0, max: 100_000 }),
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 1, max: 10 }),
      (currency, units, worth, seats) => {
        const amount = units * 10 ** minorDigits(currency) + (units % 10 ** minorDigits(currency))
        const price = chargeableFloor({ amount, currency })
        const parts = worthOfSeats({ worth: { amount: worth }, currency }, seats).map((one) =>
          reductionOf(one, { amount: price, currency }),
        )
        assert.equal(
          parts.reduce((sum, part) => sum + part, 0),
          Math.min(worth, price * seats),
        )
        assert.ok(parts.every((part) => part <= price))
      },
    ),
  )
})

test('a percentage takes the rounded share of each price, all of it at one hundred percent, also after a move', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('JPY', 'EUR', 'KWD'),
      fc.integer({ min: 1, max: 100 }),
      fc.nat(10 ** 12),
      fc.nat(10 ** 12),
      (currency, percent, price, later) => {
        const before = unpaid({ method: 'online', amount: price, currency })
        const payment = reduced(before, price, { code: 'X', worth: { percent } })
        const exact = (price * percent) / 100
        assert.ok(Math.abs((payment.coupon?.reduction ?? 0) - exact) <= (currency === 'KWD' ? 10 : 0.5))
        if (toStripe(price, currency) !== undefined) assert.notEqual(toStripe(payment.amount, currency), undefined)
        assert.equal(payment.amount + (payment.coupon?.reduction ?? 0), price)
        if (percent === 100) assert.deepEqual([payment.amount, payment.state], [0, 'paid'])
        const moved = repriced(payment, { price: later, currency })
        assert.deepEqual(moved, reduced({ ...before, amount: later }, later, { code: 'X', worth: { percent } }))
      },
    ),
  )
})
