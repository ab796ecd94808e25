import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextWith, databasesHere, withStorage } from '../../../test/support/databases.ts'
import { openSql } from '../../../test/support/sql.ts'
import type { operations } from '../../operations.ts'
import { findCustomerIds } from './search-index.sql.ts'

const table = new URL('../../operations.ts', import.meta.url)
const now = 1_800_000_000

for (const { kind, skip } of await databasesHere())
  describe(`the words of customers on ${kind}`, { skip, timeout: 600_000 }, () => {
    test('are written in batches for customers from before an upgrade', () =>
      withStorage<typeof operations>(kind, table, async (storage, { at }) => {
        await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
        const customers = Array.from({ length: 501 }, (_, place) => ({ key: `k${place}`, name: `Zoë Nr${place}` }))
        await storage.perform('site.apply', { customers }, contextWith({ now }))
        const sql = openSql({ dataDir: '', ...at })
        await sql('delete from customer_word')
        await sql('update customer set worded = 0')
        await sql.close()
        const found = async () => (await findCustomerIds(storage.db, ['zoe', 'nr'], 1_000)).length
        assert.equal(await found(), 0)
        for (const [more, count] of [
          [true, 500],
          [false, 501],
          [false, 501],
        ] as const) {
          assert.deepEqual(await storage.perform('customers.words', {}, contextWith({ now })), { ok: { more } })
          assert.equal(await found(), count)
        }
      }))

    test('are rewritten after an upgrade that changes the terms of numbers', () =>
      withStorage<typeof operations>(kind, table, async (storage, { at }) => {
        await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
        const customers = [{ key: 'a', name: 'Jo', phone: '+49 40 66969198' }]
        await storage.perform('site.apply', { customers }, contextWith({ now }))
        const sql = openSql({ dataDir: '', ...at })
        await sql("delete from customer_word where word <> '494066969198'")
        await sql("update customer set worded = 0 where phone <> ''")
        await sql.close()
        const found = async () => (await findCustomerIds(storage.db, [['~8919']], 10)).length
        assert.equal(await found(), 0)
        assert.deepEqual(await storage.perform('customers.words', {}, contextWith({ now })), { ok: { more: false } })
        assert.equal(await found(), 1)
      }))

    test('are deleted with the customer', () =>
      withStorage<typeof operations>(kind, table, async (storage) => {
        await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
        const customer = { name: 'Jo', email: 'jo@example.com', createUser: false }
        const made = await storage.perform('customers.add', customer, contextWith({ now }))
        assert.ok('ok' in made)
        assert.deepEqual(await findCustomerIds(storage.db, ['jo'], 1), [made.ok.id])
        await storage.perform('customers.remove', { id: made.ok.id }, contextWith({ now }))
        assert.equal((await storage.db.build.selectFrom('customer_word').selectAll().execute()).length, 0)
      }))
  })
