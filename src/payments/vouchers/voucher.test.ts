import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toStripe } from '../stripe/stripe-amount.ts'
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
      const paid = (today: string) => redeemable(voucher, { today, currency: asked, due, online: 0 })
      assert.equal(paid('2026-11-25'), currency === asked ? Math.min(balance, due) : 0)
      assert.equal(paid('2026-11-26'), 0)
    }),
  )
})

const seat = fc
  .tuple(amount, amount)
  .map(([one, other]) => ({ price: Math.max(one, other), online: Math.min(one, other) }))
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, one) => sum + one, 0)

test('what a voucher leaves to pay online can be charged, for which the voucher pays at most a step less', () => {
  fc.assert(
    fc.property(amount, amount, amount, currencies, (balance, one, other, currency) => {
      const voucher = { id: 'v', hint: '', amount: balance, balance, currency, validUntil: null, createdAt: 0 }
      const [due, whole] = [Math.max(one, other), Math.min(one, other)]
      const online = whole - (whole % 10)
      const paid = redeemable(voucher, { today: '2026-11-25', currency, due, online })
      const most = Math.min(balance, due)
      assert.ok(paid <= most && paid > most - 10)
      if (paid < online) assert.notEqual(toStripe(online - paid, currency), undefined)
      else assert.equal(paid, most)
    }),
  )
})

test('what a voucher pays is divided over the seats, none above its price, and first over what is due online', () => {
  fc.assert(
    fc.property(
      fc.array(seat, { maxLength: 6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      currencies,
      (seats, share, code) => {
        const total = sumOf(seats.map(({ price }) => price))
        const paid = Math.floor(total * share)
        const parts = dividedOver({ amount: paid, currency: code }, seats)
        assert.equal(sumOf(parts), Math.min(paid, total))
        assert.ok(parts.every((part, at) => part >= 0 && part <= (seats[at]?.price ?? 0)))
        const due = sumOf(seats.map(({ online }) => online))
        const left = seats.map(({ online }, at) => Math.max(0, online - (parts[at] ?? 0)))
        assert.equal(sumOf(left), Math.max(0, due - paid))
      },
    ),
  )
})

test('a voucher over the deposits of seats with unequal prices pays exactly the deposits', () => {
  const seats = [4_333, 4_333, 4_334].map((price) => ({ price, online: 1_300 }))
  assert.deepEqual(dividedOver({ amount: 3_900, currency: 'EUR' }, seats), [1_300, 1_300, 1_300])
})
