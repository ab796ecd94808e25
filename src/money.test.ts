import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { currencyFormat, decimalText, distribute, includedTax, minorDigits, parseDecimal, shareOf } from './money.ts'

const amount = fc.integer({ min: 0, max: 1_000_000_000_000 })
const currency = fc.constantFrom('JPY', 'KRW', 'HUF', 'IDR', 'EUR', 'USD', 'CHF', 'KWD', 'TND', 'BHD')

for (const [code, digits] of [
  ['JPY', 0],
  ['HUF', 0],
  ['IDR', 0],
  ['EUR', 2],
  ['KWD', 3],
  ['CLF', 4],
] as const)
  test(`${code} has ${digits} decimals`, () => assert.equal(minorDigits(code), digits))

// A failure after an update of the runtime shows a currency that is new, or whose decimals CLDR has changed. In the
// second case the number in the table stays, because amounts may be stored already, and this test names the currency.
test('every currency that can be chosen has as many decimals as the runtime gives it', () => {
  const decimals = (code: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits
  for (const code of Intl.supportedValuesOf('currency')) assert.equal(minorDigits(code), decimals(code), code)
})

test('amounts are shown with the decimals of the table, whatever the runtime would give them', () => {
  const shown = (currency: string) => {
    const { minimumFractionDigits, maximumFractionDigits } = currencyFormat(currency)
    return [minimumFractionDigits, maximumFractionDigits]
  }
  assert.deepEqual(
    [shown('HUF'), shown('EUR'), shown('KWD')],
    [
      [0, 0],
      [2, 2],
      [3, 3],
    ],
  )
  const format = new Intl.NumberFormat('en', currencyFormat('HUF'))
  assert.equal(format.format(10_000).replace(/\s/g, ' '), 'HUF 10,000')
})

for (const [sent, code, text] of [
  [1250, 'EUR', '12.50'],
  [5, 'EUR', '0.05'],
  [-5, 'EUR', '-0.05'],
  [0, 'EUR', '0.00'],
  [1250, 'JPY', '1250'],
  [1250, 'KWD', '1.250'],
] as const)
  test(`${sent} of ${code} is written ${text}`, () => assert.equal(decimalText({ amount: sent, currency: code }), text))

for (const [text, code] of [
  ['12.505', 'EUR'],
  ['1.5', 'JPY'],
  ['1.2345', 'KWD'],
  ['', 'EUR'],
  ['1,50', 'EUR'],
  ['1e3', 'EUR'],
  ['999999999999999', 'EUR'],
] as const)
  test(`"${text}" is no amount of ${code}`, () => assert.equal(parseDecimal(text, code), undefined))

for (const [of, rate, tax] of [
  [11_900, 1_900, 1_900],
  [10_700, 700, 700],
  [100, 0, 0],
  [1, 1_900, 0],
] as const)
  test(`${of} with tax of ${rate} basis points includes ${tax}`, () => assert.equal(includedTax(of, rate), tax))

test('an amount is read as it was written, in every currency', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), currency, (of, code) => {
      assert.equal(parseDecimal(decimalText({ amount: of, currency: code }), code), of)
    }),
  )
})

test('a share lies between nothing and the amount, is at most half a unit off, and grows with the percentage', () => {
  const points = fc.integer({ min: 0, max: 10_000 })
  fc.assert(
    fc.property(amount, points, points, (of, one, other) => {
      const share = shareOf(of, one)
      assert.ok(share >= 0 && share <= of)
      const error = 2n * (BigInt(share) * 10_000n - BigInt(of) * BigInt(one))
      assert.ok(error <= 10_000n && error > -10_000n)
      if (one <= other) assert.ok(share <= shareOf(of, other))
    }),
  )
  assert.deepEqual([shareOf(4_501, 10_000), shareOf(4_501, 0), shareOf(4_501, 5_000)], [4_501, 0, 2_251])
})

test('the tax that an amount includes and the net amount sum to it, and tax on the net amount is the same', () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (gross, rate) => {
      const tax = includedTax(gross, rate)
      assert.ok(tax >= 0 && tax <= gross)
      assert.ok(Math.abs(shareOf(gross - tax, rate) - tax) <= 1)
    }),
  )
})

test('the parts of a distributed amount sum to it, follow their weights, and are at most one unit off', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(amount, weights, (of, given) => {
      const parts = distribute(of, given)
      const total = given.reduce((sum, weight) => sum + weight, 0)
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0),
        of,
      )
      for (const [index, part] of parts.entries()) {
        if (total === 0) continue
        const exact = BigInt(of) * BigInt(given[index] ?? 0)
        assert.ok(BigInt(part) * BigInt(total) - exact <= BigInt(total))
        assert.ok(exact - BigInt(part) * BigInt(total) < BigInt(total))
      }
    }),
  )
})
