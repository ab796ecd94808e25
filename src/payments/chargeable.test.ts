import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chargeableCeiling, chargeableFloor, chargeableParts, chargeableShare } from './chargeable.ts'
import { toStripe } from './stripe/stripe-amount.ts'

const currency = fc.constantFrom('EUR', 'JPY', 'ISK', 'UGX', 'HUF', 'TWD', 'MGA', 'BHD', 'JOD', 'KWD', 'OMR', 'TND')
const amount = fc.integer({ min: 0, max: 1_000_000_000 })
const basisPoints = fc.integer({ min: 0, max: 10_000 })

for (const [of, code, points, share] of [
  [4_500, 'EUR', 3_333, 1_500],
  [12_340, 'KWD', 3_300, 4_070],
  [12_350, 'KWD', 5_000, 6_180],
  [12_345, 'KWD', 10_000, 12_345],
  [12_345, 'KWD', 9_999, 12_340],
  [4_501, 'ISK', 5_000, 2_251],
] as const)
  test(`the chargeable share ${points / 100} % of ${of} ${code} is ${share}`, () =>
    assert.equal(chargeableShare({ amount: of, currency: code }, points), share))

test('a share of an amount can be charged, is at most the amount, and all of it is exactly the amount', () => {
  fc.assert(
    fc.property(amount, basisPoints, currency, (of, points, code) => {
      const share = chargeableShare({ amount: of, currency: code }, points)
      assert.ok(share >= 0 && share <= of)
      if (points === 10_000) assert.equal(share, of)
      else assert.notEqual(toStripe(share, code), undefined)
      assert.notEqual(toStripe(chargeableFloor({ amount: of, currency: code }), code), undefined)
    }),
  )
})

test('an amount is rounded up to the next one that can be charged', () => {
  fc.assert(
    fc.property(amount, currency, (of, code) => {
      const rounded = chargeableCeiling({ amount: of, currency: code })
      assert.notEqual(toStripe(rounded, code), undefined)
      assert.ok(rounded >= of && rounded - of < 10)
    }),
  )
})

test('the parts of an amount that can be charged can be charged, and sum to it', () => {
  const weights = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(amount, weights, currency, (of, given, code) => {
      const parts = chargeableParts(of, given, code)
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0),
        of,
      )
      if (toStripe(of, code) !== undefined) assert.ok(parts.every((part) => toStripe(part, code) !== undefined))
    }),
  )
})
