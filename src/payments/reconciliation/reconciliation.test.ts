import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Movement } from '../processor.ts'
import { type BookedAmount, differencesOf, windowOf } from './reconciliation.ts'

const moved: Movement = {
  ...{ kind: 'charge', reference: 'pi_1', chargeId: 'pi_1', paymentId: 'pay_1', amount: 4_500, currency: 'EUR' },
  ...{ fee: 93, net: 4_407, at: 100 },
}
const charge: BookedAmount = {
  ...{ kind: 'charge', reference: 'pi_1', paymentId: 'pay_1', amount: 4_500, currency: 'EUR', fee: 93, postedAt: 110 },
}
const refund: Movement = { ...moved, kind: 'refund', reference: 're_1', amount: 1_000, fee: 0, net: -1_000 }
const refunded: BookedAmount = { ...charge, kind: 'refund', reference: 're_1', amount: 1_000, fee: 0 }

for (const [what, movements, booked, expected] of [
  ['the same charge', [moved], [charge], []],
  ['a charge that is not in the books', [moved], [], ['charge pi_1 null 4500']],
  ['another amount', [moved], [{ ...charge, amount: 4_000 }], ['charge pi_1 4000 4500']],
  ['another fee', [moved], [{ ...charge, fee: 0 }], ['fee pi_1 0 93']],
  ['a fee that the processor does not tell yet', [{ ...moved, fee: null }], [{ ...charge, fee: 0 }], []],
  ['a charge in another currency', [{ ...moved, currency: 'USD' }], [charge], []],
  ['a refund', [refund], [refunded], []],
  ['a refund that only the processor knows', [refund], [], ['refund re_1 null 1000']],
  ['a refund that failed in the end', [refund, { ...refund, kind: 'refund_failed' }], [{ ...refunded, amount: 0 }], []],
  ['a refund that failed and was never booked', [refund, { ...refund, kind: 'refund_failed' }], [], []],
  [
    'a payout and others',
    [
      { ...moved, kind: 'payout' },
      { ...moved, kind: 'other' },
    ],
    [],
    [],
  ],
] as const satisfies readonly (readonly [string, readonly Movement[], readonly BookedAmount[], readonly string[]])[])
  test(`${what}: ${expected.length} differences`, () =>
    assert.deepEqual(
      differencesOf(movements, booked).map((one) => `${one.kind} ${one.reference} ${one.booked} ${one.found}`),
      expected,
    ))

test('the window is a week, longer after a break, and ends an hour ago', () => {
  const [now, day] = [100 * 86_400, 86_400]
  const until = now - 3_600
  assert.deepEqual(windowOf(now, undefined), { from: until - 30 * day, until })
  assert.deepEqual(windowOf(now, { untilAt: until - day }), { from: until - 7 * day, until })
  assert.deepEqual(windowOf(now, { untilAt: until - 20 * day }), { from: until - 21 * day, until })
})
