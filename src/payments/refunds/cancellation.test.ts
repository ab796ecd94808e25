import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { RefundPart } from '../desk/desk-payments.ts'
import { toStripe } from '../stripe/stripe-amount.ts'
import { cancellationRefund, splitCancellation, sumOfParts } from './cancellation.ts'

const payments = fc
  .tuple(
    fc.constantFrom('EUR', 'JPY', 'KWD', 'MGA'),
    fc.array(
      fc.record({
        paid: fc.integer({ min: 0, max: 1_000_000_000 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 4 },
    ),
  )
  .map(([currency, all]) =>
    all.map(({ paid, share }, at) => {
      return { paid, amount: Math.round(paid * share), currency, booked: true, paymentId: `pay_${at}` }
    }),
  )

/** Asserts that each refund is one that the processor can make, unless it refunds everything that is left. */
function assertChargeable(refunds: readonly RefundPart[], parts: readonly RefundPart[]): void {
  for (const { paymentId, amount, currency } of refunds) {
    const left = parts.find((part) => part.paymentId === paymentId)?.amount
    assert.ok(amount === left || toStripe(amount, currency) !== undefined, `${amount} of ${left} ${currency}`)
  }
}

test('never more is refunded than is left, and asking again refunds nothing', () => {
  fc.assert(
    fc.property(payments, fc.integer({ min: 0, max: 100 }), (parts, percent) => {
      const refunded = cancellationRefund(parts, percent)
      assertChargeable(refunded, parts)
      for (const { paymentId, amount } of refunded) {
        const left = parts.find((part) => part.paymentId === paymentId)?.amount ?? 0
        assert.ok(amount > 0 && amount <= left)
      }
      const after = parts.map((part) => {
        const gone = refunded.filter((one) => one.paymentId === part.paymentId)
        return { ...part, amount: part.amount - sumOfParts(gone) }
      })
      assert.deepEqual(cancellationRefund(after, percent), [])
      if (percent === 100) assert.equal(sumOfParts(refunded), sumOfParts(parts))
    }),
  )
})

test('a payment that was not booked goes back by itself', () =>
  assert.deepEqual(
    cancellationRefund([{ paymentId: 'pay_1', paid: 100, amount: 100, currency: 'EUR', booked: false }], 100),
    [],
  ))

test('of the percentage of everything, a voucher gets back what it paid before a card gets anything, and once', () => {
  const vouchers = fc.record({
    paid: fc.integer({ min: 0, max: 1_000_000_000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(payments, vouchers, fc.integer({ min: 0, max: 100 }), (parts, { paid, share }, percent) => {
      const left = Math.round(paid * share)
      const voucher = { paid, recent: left > 0 ? paid : 0, left }
      const back = splitCancellation(parts, voucher, percent)
      assertChargeable(back.parts, parts)
      assert.ok(back.voucher >= 0 && back.voucher <= voucher.left)
      if (paid > 0 && back.parts.length > 0) assert.equal(back.voucher, voucher.left)
      const after = parts.map((part) => {
        const gone = back.parts.filter((one) => one.paymentId === part.paymentId)
        return { ...part, amount: part.amount - sumOfParts(gone) }
      })
      const rest = voucher.left - back.voucher
      const again = splitCancellation(after, { paid, recent: rest > 0 ? paid : 0, left: rest }, percent)
      assert.deepEqual([again.voucher, sumOfParts(again.parts)], [0, 0])
      if (percent === 100) assert.equal(back.voucher + sumOfParts(back.parts), voucher.left + sumOfParts(parts))
    }),
  )
})

test('of what a voucher paid again after everything was refunded, the percentage is refunded', () => {
  const voucher = { paid: 200, recent: 100, left: 100 }
  assert.deepEqual(splitCancellation([], voucher, 50), { voucher: 50, parts: [] })
  const returned = { paymentId: 'pay_1', paid: 100, amount: 0, currency: 'EUR', booked: true }
  assert.deepEqual(splitCancellation([returned], voucher, 50), { voucher: 50, parts: [] })
})
