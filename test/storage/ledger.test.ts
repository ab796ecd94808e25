import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findSaleRate, listEntries, sumPosted } from '../../src/payments/ledger/ledger.sql.ts'
import { balanceKey, balancesOf, type Fact, postingKinds } from '../../src/payments/ledger/ledger.ts'
import { contextWith, databasesHere, withStorage } from '../support/databases.ts'
import { openSql } from '../support/sql.ts'
import { type LedgerCommands, ledgerOperations } from './ledger-operations.ts'

const fact = fc.record({
  kind: fc.constantFrom(...postingKinds),
  cause: fc.constantFrom('one', 'two', 'three', 'four'),
  amount: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
})
const paid: Fact = { kind: 'charge', cause: 'pay_1', amount: 4_500, currency: 'EUR', paymentId: 'pay_1' }

for (const { kind, skip } of await databasesHere()) {
  const storage = (work: Parameters<typeof withStorage<LedgerCommands>>[2]) => () =>
    withStorage<LedgerCommands>(kind, ledgerOperations, work)
  describe(kind, { skip }, () => {
    test(
      'the books balance in every currency, whatever is posted, and each fact counts once',
      storage(async ({ perform, db }) => {
        const known = new Map<string, Fact>()
        const property = fc.asyncProperty(fc.array(fact, { maxLength: 8 }), async (facts) => {
          assert.ok('ok' in (await perform('post', facts, contextWith())))
          for (const one of facts) {
            const key = `${one.kind}:${one.cause}`
            if (one.amount !== 0 && !known.has(key)) known.set(key, one)
          }
          const balances = balancesOf(await listEntries(db))
          for (const currency of ['EUR', 'JPY', 'KWD']) {
            const own = [...balances].filter(([name]) => name.endsWith(currency)).map(([, amount]) => amount)
            assert.equal(
              own.reduce((sum, amount) => sum + amount, 0),
              0,
            )
          }
          const charged = [...known.values()].filter((one) => one.kind === 'charge' && one.currency === 'EUR')
          const entries = (await listEntries(db)).filter((one) => one.kind === 'charge' && one.currency === 'EUR')
          assert.equal(entries.length, charged.length)
        })
        await fc.assert(property, { numRuns: 30 })
      }),
    )

    test(
      'a refund has the tax rate of the payment that it refunds, or else of the last one',
      storage(async ({ db }, { at }) => {
        const sql = openSql({ dataDir: '', ...at })
        for (const [paymentId, taxRate] of [
          ['pay_a', 700],
          ['pay_b', 1_900],
        ] as const)
          await sql(
            `insert into ledger_posting (id, kind, source, payment_id, reservation_id, posted_at, tax_rate)
             values (?, 'charge', ?, ?, 'r_x', ?, ?)`,
            [`led_${paymentId}`, `charge:${paymentId}`, paymentId, taxRate, taxRate],
          )
        await sql.close()
        const rateOf = async (paymentId?: string) => (await findSaleRate(db, 'r_x', paymentId))?.rate
        assert.deepEqual([await rateOf('pay_a'), await rateOf('pay_b'), await rateOf()], [700, 1_900, 1_900])
        assert.equal(await findSaleRate(db, 'r_none', undefined), undefined)
      }),
    )

    test(
      'the posted sum of a cause contains its continuations, and none of a longer cause',
      storage(async ({ perform, db }) => {
        const of = { ...paid, kind: 'fee' } as const
        const facts: Fact[] = [
          { ...of, cause: 'dispute/dp_1', amount: 2_000 },
          { ...of, cause: 'dispute/dp_1/2500', amount: 500 },
          { ...of, cause: 'dispute/dp_1/2400', amount: -100 },
          { ...of, cause: 'dispute/dp_12', amount: 7 },
        ]
        await perform('post', facts, contextWith())
        assert.equal(await sumPosted(db, { ...of, cause: 'dispute/dp_1', amount: 0 }), 2_400)
      }),
    )

    test(
      'a total that returns to an earlier amount is posted again, and a repeated one is not',
      storage(async ({ perform, db }) => {
        const of = { kind: 'dispute', cause: 'dp_1/r_1', currency: 'EUR', paymentId: 'pay_1' } as const
        for (const amount of [100, 0, 100, 100, 0, 100]) {
          assert.ok('ok' in (await perform('totals', [{ ...of, amount }], contextWith())))
          assert.equal(await sumPosted(db, { ...of, amount }), amount)
        }
        assert.equal((await listEntries(db, { paymentId: 'pay_1' })).length, 5)
      }),
    )

    test(
      'a charge, its fee and a partial refund leave the difference at the processor',
      storage(async ({ perform, db }) => {
        const facts: Fact[] = [
          paid,
          { ...paid, kind: 'fee', amount: 93 },
          { ...paid, kind: 'refund', cause: 'ref_1', amount: 1_000 },
        ]
        await perform('post', facts, contextWith())
        await perform('post', facts, contextWith())
        const balances = balancesOf(await listEntries(db, { paymentId: 'pay_1' }))
        assert.equal(balances.get(balanceKey('processor', 'EUR')), 3_407)
        assert.equal(balances.get(balanceKey('sales', 'EUR')), -4_500)
        assert.equal(balances.get(balanceKey('refunds', 'EUR')), 1_000)
      }),
    )

    test(
      'the database refuses to change, to delete or to unbalance what is in the books',
      storage(async ({ perform, db }) => {
        await perform('post', [paid], contextWith())
        const before = await listEntries(db)
        const columns = 'posting_id, n, debit, credit, amount, currency'
        for (const text of [
          'update ledger_entry set amount = 1',
          'delete from ledger_entry',
          "update ledger_posting set kind = 'fee'",
          'delete from ledger_posting',
          `insert into ledger_entry (${columns}) select id, 2, 'sales', 'sales', 5, 'EUR' from ledger_posting`,
          `insert into ledger_entry (${columns}) select id, 2, 'sales', 'bank', -5, 'EUR' from ledger_posting`,
          `insert into ledger_entry (${columns}) select id, 2, 'sales', 'nowhere', 5, 'EUR' from ledger_posting`,
          `insert into ledger_entry (${columns}) values ('led_none', 1, 'sales', 'bank', 5, 'EUR')`,
        ])
          assert.ok(!('ok' in (await perform('run', { text }, contextWith()))), text)
        assert.deepEqual(await listEntries(db), before)
      }),
    )
  })
}
