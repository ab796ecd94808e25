import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextWith, databasesHere, withStorage } from '../../../test/support/databases.ts'
import { openSql } from '../../../test/support/sql.ts'
import type { operations } from '../../operations.ts'
import { type CustomerSearch, searchCustomers } from './customer-list.operations.ts'

const table = new URL('../../operations.ts', import.meta.url)
const now = 1_800_000_000
const viewer = { ofProvider: undefined, now }

for (const { kind, skip } of await databasesHere())
  describe(`lists of customers on ${kind}`, { skip, timeout: 600_000 }, () => {
    test('contain the first customers of a tag that more customers have than are counted', () =>
      withStorage<typeof operations>(kind, table, async (storage, { at }) => {
        await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
        const customers = [
          { key: 'a', name: 'Zoe Last', tags: ['VIP'] },
          { key: 'b', name: 'Ann First', tags: ['VIP'] },
          { key: 'c', name: 'Ann Other' },
        ]
        await storage.perform('site.apply', { customers }, contextWith({ now }))
        const sql = openSql({ dataDir: '', ...at })
        const [row] = await sql("select * from customer where name = 'Zoe Last'")
        const copied: Readonly<Record<string, string>> = {
          ...{ id: "'c_' || n", ordinal: 'ordinal + n', key: 'null', email: "''" },
        }
        const columns = Object.keys(row ?? {})
        const values = columns.map((column) => copied[column] ?? column)
        await sql(`with recursive copy (n) as (select 1000 union all select n + 1 from copy where n < 11000)
          insert into customer (${columns.join(', ')}) select ${values.join(', ')} from copy, customer where key = 'a'`)
        await sql(`insert into customer_word (customer_id, word) select id, '#vip' from customer where key is null`)
        await sql.close()
        const listed = async (search: CustomerSearch) => {
          const { page, total } = await searchCustomers(storage.db, search, viewer, { limit: 2, offset: 0 })
          return [page.map(({ name }) => name), total]
        }
        assert.deepEqual(await listed({ tag: 'vip' }), [['Ann First', 'Zoe Last'], 10_001])
        assert.deepEqual(await listed({ tag: 'Vip', search: 'first' }), [['Ann First'], 1])
        assert.deepEqual(await listed({ search: 'ann' }), [['Ann First', 'Ann Other'], 2])
        assert.deepEqual(await listed({ tag: 'none' }), [[], 0])
      }))
  })
