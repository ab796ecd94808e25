import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { codeDigits, dividedOver, printedCode, redeemable, voucherCode } from './voucher.ts'

const amount = fc.integer({ min: 0, max: 1_000_000_000_000 })
const currencies = fc.constantFrom('JPY', 'EUR', 'KWD')

test('a printed code is read as the code itself, however it is typed', () => {
  const code = fc.string({ unit: fc.constantFrom(...codeDigits), minLength: 16, maxLength: 16 })
  fc.assert(
    fc.property(code, (of) => {
      assert.equal(voucherCode(printedCode(of)), of)
      assert.equal(voucherCode(` ${of.toLowerCase().replace(/0/g, 'o').replace(/1/g, 'l')} `), of)
    }),
  )
})

test('a voucher pays no more than is left, than is due, or after its last day, and in its currency alone', () => {
  fc.assert(
    fc.property(amount, amount, currencies, currencies, (balance, due, currency, asked) => {
      const voucher = { id: 'v', hint: '', amount: balance, balance, currency, validUntil: '2026-11-25', createdAt: 0 }
      const paid = (today: string) => redeemable(voucher, { today, currency: asked, due })
      assert.equal(paid('2026-11-25'), currency === asked ? Math.min(balance, due) : 0)
      assert.equal(paid('2026-11-26'), 0)
    }),
  )
})

test('what a voucher pays is divided over the seats, none above its price', () => {
  fc.assert(
    fc.property(
      fc.array(amount, { maxLength: 6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      currencies,
      (prices, share, code) => {
        const total = prices.reduce((sum, price) => sum + price, 0)
        const paid = Math.floor(total * share)
        const parts = dividedOver({ amount: paid, currency: code }, prices)
        assert.equal(
          parts.reduce((sum, part) => sum + part, 0),
          Math.min(paid, total),
        )
        assert.ok(parts.every((part, at) => part >= 0 && part <= (prices[at] ?? 0)))
      },
    ),
  )
})
