import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operations } from '../../src/operations.ts'
import { writeVoucherTable } from '../../src/payments/vouchers/voucher-csv.routes.ts'
import { databasesHere, withStorage } from '../support/databases.ts'
import { openSql } from '../support/sql.ts'

const operations = new URL('../../src/operations.ts', import.meta.url)

for (const { kind, skip } of await databasesHere())
  test(`the file of vouchers has each of them once, also while one is sold (${kind})`, { skip }, () =>
    withStorage<Operations>(kind, operations, async ({ db }, { at }) => {
      const sql = openSql({ dataDir: '', ...at })
      const ids = Array.from({ length: 1_100 }, (_, index) => `v_${index}`)
      const sell = (sold: readonly string[], createdAt: number) => {
        const rows = sold.map((id) => `('${id}', 'hash of ${id}', 'ABCD', 4500, 'EUR', ${createdAt})`)
        return sql(`insert into voucher (id, code_hash, hint, amount, currency, created_at) values ${rows.join(', ')}`)
      }
      await sell(ids, 1_000)
      const parts: string[] = []
      await writeVoucherTable({ db, zone: 'Europe/Berlin' }, async (part) => {
        parts.push(String(part))
        // The first part is the header.
        if (parts.length === 2) await sell(['v_new'], 2_000)
      })
      await sql.close()
      const listed = parts.join('').match(/v_\w+/g) ?? []
      assert.deepEqual(listed.toSorted(), ids.toSorted())
    }),
  )
