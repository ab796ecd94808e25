import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { CompiledQuery } from 'kysely'
import { migrateSqlite } from '../../src/db/migrate.ts'
import { LongLists } from '../../src/db/sqlite/long-lists.ts'
import { openToWrite, type SqliteConnection } from '../../src/db/sqlite/sqlite.ts'
import { SqliteReads } from '../../src/db/sqlite/sqlite-reads.ts'
import type { ReservationList } from '../../src/reservations/list/reservation-filter.ts'
import { textSource } from '../../src/reservations/list/reservation-json.sql.ts'

const rows = 9_000
const all: ReservationList = { filter: {}, full: true }
const ofOne: ReservationList = { filter: { serviceIds: ['s_1'] }, full: true }

describe('a long list', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-test-'))
  const file = join(folder, 'daybook.db')
  let writer: SqliteConnection
  let reads: SqliteReads
  before(async () => {
    writer = openToWrite(file)
    await migrateSqlite(writer, 0)
    writer.script(manyReservations)
    reads = new SqliteReads(file)
  })
  after(async () => {
    await reads.close()
    writer.close()
    assert.ok(!existsSync(`${file}-wal`), 'whoever writes closes the file last')
    rmSync(folder, { recursive: true, force: true })
  })

  for (const [what, list] of [
    ['of all', all],
    ['of one service', ofOne],
    ['that is short', { ...all, filter: { endsAfter: 1_795_000_000 + rows * 60 - 60_000 } }],
    ['of nothing', { ...all, filter: { serviceIds: [] } }],
  ] as const)
    test(`${what} is complete and in order`, async () => {
      assert.deepEqual(idsIn(await Array.fromAsync(reads.texts(textSource, list))), idsOf(list))
    })

  test('does not block the event loop', async () => {
    let turns = 0
    const turning = setInterval(() => turns++)
    const parts = (await Array.fromAsync(reads.texts(textSource, all))).length
    clearInterval(turning)
    assert.ok(parts >= rows / 500 && turns > 0, `${parts} parts, ${turns} turns`)
  })

  test('is a snapshot of its start', async () => {
    const texts = reads.texts(textSource, all)[Symbol.asyncIterator]()
    const first = await texts.next()
    const wanted = idsOf(all)
    writer.script(
      "begin; update reservation set service_id = 's_3'; delete from reservation where start_at % 120 = 0; commit",
    )
    const parts = [String(first.value)]
    for (let next = await texts.next(); !next.done; next = await texts.next()) parts.push(next.value)
    assert.deepEqual(idsIn(parts), wanted)
    assert.ok(!parts.join('').includes('"s_3"'))
    writer.script(`delete from reservation; ${manyReservations}`)
  })

  test("is read concurrently with others, each at its consumer's pace", async () => {
    const slow = reads.texts(textSource, all)[Symbol.asyncIterator]()
    const first = await slow.next()
    const others = await Promise.all([all, ofOne, all].map((list) => Array.fromAsync(reads.texts(textSource, list))))
    assert.deepEqual(others.map(idsIn), [all, ofOne, all].map(idsOf))
    const rest = []
    for (let next = await slow.next(); !next.done; next = await slow.next()) rest.push(next.value)
    assert.deepEqual(idsIn([String(first.value), ...rest]), idsOf(all))
  })

  test('that is abandoned half way blocks nothing', async () => {
    const lists = new LongLists(file)
    for await (const text of lists.texts(textSource.module, all)) {
      assert.ok(text.startsWith(','))
      break
    }
    await lists.close()
    writer.script('update reservation set version = 2')
    const [checkpoint] = writer.execute(CompiledQuery.raw('pragma wal_checkpoint(truncate)')).rows
    assert.equal(Object(checkpoint).busy, 0)
  })

  test('fails when the file is closed, and is not reported as complete', async () => {
    const lists = new LongLists(file)
    const texts = lists.texts(textSource.module, all)
    await texts.next()
    await lists.close()
    await assert.rejects(Array.fromAsync(texts), /ended/)
  })

  test('fails where the thread cannot read it', async () => {
    const lists = new LongLists(join(folder, 'missing.db'))
    await assert.rejects(Array.fromAsync(lists.texts(textSource.module, all)), /unable to open database file/)
    await lists.close()
  })

  test('is read by a new thread after the last one ended', async () => {
    const lists = new LongLists(file)
    for (let time = 0; time < 2; time += 1) {
      assert.deepEqual(idsIn(await Array.fromAsync(lists.texts(textSource.module, ofOne))), idsOf(ofOne))
      await lists.close()
    }
  })

  function idsOf({ filter }: ReservationList): string[] {
    const { serviceIds, endsAfter = 0 } = filter
    const named = serviceIds ? `and service_id in (${serviceIds.map((id) => `'${id}'`)})` : ''
    const ordered = `select id from reservation where end_at > ${endsAfter} ${named} order by start_at, id`
    return writer.execute(CompiledQuery.raw(ordered)).rows.map((row) => String(Object(row).id))
  }
})

function idsIn(texts: readonly string[]): string[] {
  return JSON.parse(`[${texts.join('').slice(1)}]`).map(({ id }: { id: string }) => id)
}

const manyReservations = `
  insert into reservation (id, service_id, customer_id, provider_id, availability_id, start_at, end_at, status, data,
    local_start, zone, tz_version, version, created_at, updated_at)
  with recursive number (i) as (select 1 union all select i + 1 from number where i < ${rows})
  select 'r_' || i, 's_' || (i % 2 + 1), 'c_1', 1, '', 1795000000 + 60 * (i - i % 3), 1795001800 + 60 * i, 'cancelled',
    '{"number":' || i || '}', '2026-11-18T09:00', 'Europe/Berlin', '2026a', 1, 0, 0 from number`
