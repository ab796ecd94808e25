import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import { now, standardSite } from '../support/clinic.ts'
import { ConcurrentClients } from '../support/concurrent-clients.ts'
import { command, freshFolder } from '../support/daybook.ts'
import { proved } from '../support/proof.ts'
import { scaled, suiteTimeout } from '../support/scale.ts'
import { type ServiceProcess, startService } from '../support/service.ts'

const rounds = scaled(5)
const writesEach = 5 // milliseconds between two writes
// The maximum number of concurrent writes: with many more, a service that other tests slow down would shed some of
// them. Writes that this limit delays are sent later.
const maxOpen = 32

describe('backups of a service that writes 200 times a second', { timeout: suiteTimeout }, () => {
  let service: ServiceProcess
  before(async () => {
    service = await startService({ now, site: standardSite })
  })
  after(() => service.kill())

  test(`${rounds} of ${rounds} are valid, and contain all that was acknowledged before`, async (context) => {
    const load = writing(service)
    for (let round = 0; round < rounds; round += 1) {
      const before = load.acknowledged.length
      const file = join(freshFolder(), 'daybook.bak')
      const taken = await service.daybook('backup', file)
      assert.equal(taken.code, 0, taken.stderr)
      const during = load.acknowledged.length
      const dataDir = freshFolder()
      const restored = await command(['restore', file, '--data-dir', dataDir])
      assert.equal(restored.code, 0, restored.stderr)
      const verified = await command(['verify', join(dataDir, 'daybook.db'), '--json'])
      assert.equal(verified.code, 0, verified.stderr)
      const kept = names(join(dataDir, 'daybook.db'))
      const lost = load.acknowledged.slice(0, before).filter((name) => !kept.has(name))
      assert.deepEqual(lost, [], `round ${round}`)
      assert.ok(during > before, 'writes went on during the backup')
    }
    const { refused, slowest, perSecond } = await load.stop()
    proved(context, 'S4', {
      backups: rounds,
      'restored whole': rounds,
      'writes acknowledged': load.acknowledged.length,
      lost: 0,
      'writes a second': Math.round(perSecond),
      'worst write ms': Math.round(slowest),
    })
    assert.deepEqual(refused, [])
    assert.ok(perSecond > 180, `${Math.round(perSecond)} a second`)
  })
})

describe('backing up and restoring', { timeout: 600_000 }, () => {
  let service: ServiceProcess
  let backup: string
  before(async () => {
    service = await startService({ now, site: standardSite })
    backup = join(freshFolder(), 'daybook.bak')
    const { code, stdout } = await service.daybook('backup', backup)
    assert.equal(code, 0)
    assert.match(stdout, /^Backed up to .*: 22 services, 5 providers, 5 customers, 0 reservations, \d+ events\.\n$/)
  })
  after(() => service.kill())

  test('a backup is readable by its owner only, and overwrites another file only when forced', async () => {
    assert.equal(statSync(backup).mode & 0o777, 0o600)
    const bytes = readFileSync(backup)
    const again = await service.daybook('backup', backup)
    assert.equal(again.code, 1)
    assert.match(again.stderr, /exists; --force replaces it/)
    assert.deepEqual(readFileSync(backup), bytes)
    assert.equal((await service.daybook('backup', backup, '--force')).code, 0)
    assert.deepEqual(readdirSync(join(backup, '..')), ['daybook.bak'])
    const database = join(service.dataDir, 'daybook.db')
    for (const args of [
      ['backup', database, '--force'],
      ['export', database],
      ['export', `${database}-wal`],
    ]) {
      const refused = await service.daybook(...args)
      assert.deepEqual([refused.code, /is the database itself/.test(refused.stderr)], [1, true], refused.stderr)
    }
  })

  test('a restore is refused while a server runs', async () => {
    const { code, stderr } = await service.daybook('restore', backup)
    assert.equal(code, 1)
    assert.match(stderr, /A server runs on .*Stop it, then restore/)
  })

  test('a restore brings back the data, keeps the replaced file, and continues the feed in order', async () => {
    const name = { body: { name: 'After the backup', email: 'after@example.com' } }
    const added = await service.call('POST', '/customers/add/', name)
    const [last] = (await events(service)).slice(-1)
    await service.kill()
    const { code, stdout, stderr } = await service.daybook('restore', backup)
    assert.equal(code, 0, stderr)
    const kept = /kept as (\S+);/.exec(stdout)?.[1] ?? ''
    assert.ok(names(kept).has('After the backup'), 'what was only in the log is in the kept database')
    await service.restart()

    const { body } = await service.call('GET', '/customers/get/')
    assert.ok(!body.response.some(({ id }) => id === added.body.id))
    await service.call('POST', '/customers/add/', { body: { name: 'New', email: 'new@example.com' } })
    const since = await events(service, last?.seq)
    assert.deepEqual(
      since.map(({ type }) => type),
      ['customer.created'],
    )
    assert.deepEqual(
      readdirSync(service.dataDir).filter((file) => file.includes('restoring')),
      [],
    )
  })

  test('a restore moves the log of a killed server aside, also when its database file was moved away', async () => {
    const killed = await startService({ now, site: standardSite })
    const name = { body: { name: 'In the log', email: 'log@example.com' } }
    assert.equal((await killed.call('POST', '/customers/add/', name)).status, 201)
    await killed.kill()
    const database = join(killed.dataDir, 'daybook.db')
    const log = readFileSync(`${database}-wal`)
    assert.ok(log.length > 0, 'the killed server left a log')
    renameSync(database, join(freshFolder(), 'bad.db'))

    const { code, stdout, stderr } = await killed.daybook('restore', backup)
    assert.equal(code, 0, stderr)
    const [moved = ''] = readdirSync(killed.dataDir).filter((file) => /^daybook\.db\..+-wal$/.test(file))
    assert.deepEqual(readFileSync(join(killed.dataDir, moved)), log)
    assert.ok(stdout.includes(`kept as ${join(killed.dataDir, moved)}`), stdout)
    assert.ok(!existsSync(`${database}-wal`), 'the restored database has no log of another one')
    const verified = await killed.daybook('verify', database)
    assert.equal(verified.code, 0, verified.stderr)
    assert.ok(!names(database).has('In the log'))
  })

  for (const [what, spoil] of [
    ['cut off', (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ['of other bytes in its midst', (file: string) => overwrite(file)],
    ['no database', (file: string) => writeFileSync(file, 'a letter to a friend\n'.repeat(1_000))],
    ['empty', (file: string) => truncateSync(file, 0)],
    ['of a newer version', (file: string) => sql(file, "insert into migration values ('9999', 0)")],
    ['without the guard against overlaps', (file: string) => sql(file, 'drop trigger occupancy_overlap')],
    [
      'with a seat that no reservation holds',
      (file: string) => sql(file, "insert into occupancy values ('o', 'r', 'p1', 's:1:2', 1, 1, 2, null, null)"),
    ],
    [
      'with a reservation that has no seat',
      (file: string) =>
        sql(
          file,
          `insert into reservation (id, service_id, customer_id, provider_id, availability_id, start_at, end_at, status, data,
            local_start, zone, tz_version, version, created_at, updated_at)
          values ('r', 's', 'c', 1, '', ${now + 60}, ${now + 120}, 'confirmed', '{}', '', 'UTC', '', 1, 0, 0)`,
        ),
    ],
  ] as const) {
    test(`a file that is ${what} is invalid and replaces nothing`, async () => {
      const file = join(freshFolder(), 'spoiled.bak')
      copyFileSync(backup, file)
      spoil(file)
      const dataDir = freshFolder()
      await command(['migrate', '--data-dir', dataDir])
      const before = readFileSync(join(dataDir, 'daybook.db'))
      const env = { ...process.env, DAYBOOK_NOW: String(now) }

      const verified = await command(['verify', file], env)
      assert.equal(verified.code, 1)
      assert.match(verified.stderr, /is not sound\.\n.+\n/)
      const restored = await command(['restore', file, '--data-dir', dataDir], env)
      assert.equal(restored.code, 1)
      assert.match(restored.stderr, /Nothing was changed: .* is not sound\.\n.+\n/)
      assert.deepEqual(readFileSync(join(dataDir, 'daybook.db')), before)
    })
  }

  test('a damaged database can be replaced', async () => {
    const dataDir = freshFolder()
    await command(['migrate', '--data-dir', dataDir])
    overwrite(join(dataDir, 'daybook.db'))
    const { code, stderr } = await command(['restore', backup, '--data-dir', dataDir])
    assert.equal(code, 0, stderr)
    assert.equal((await command(['doctor', '--data-dir', dataDir])).code, 0)
  })

  test('a missing file and a missing directory are each reported in one sentence', async () => {
    const dataDir = freshFolder()
    const missing = join(dataDir, 'none', 'x.bak')
    for (const argv of [
      ['verify', missing],
      ['restore', missing, '--data-dir', dataDir],
      ['backup', missing, '--data-dir', dataDir],
    ]) {
      const { code, stderr, stdout } = await command(argv)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /^There is no (file|folder) .*\.\n$/)
    }
    assert.ok(!existsSync(join(dataDir, 'none')))
  })

  test('a backup from a directory without a database is refused, and creates none', async () => {
    const dataDir = join(freshFolder(), 'mistyped')
    const file = join(freshFolder(), 'x.bak')
    const { code, stdout, stderr } = await command(['backup', file, '--data-dir', dataDir])
    assert.deepEqual([code, stdout, stderr], [1, '', `There is no database in ${dataDir}.\n`])
    assert.ok(!existsSync(file) && !existsSync(dataDir))
  })

  test('a backup of a database of a newer version names the version to use, and advises no restore', async () => {
    const dataDir = freshFolder()
    await command(['migrate', '--data-dir', dataDir])
    sql(join(dataDir, 'daybook.db'), "insert into migration values ('9999', 0)")
    const { code, stderr } = await command(['backup', join(freshFolder(), 'x.bak'), '--data-dir', dataDir])
    assert.equal(code, 1)
    assert.match(stderr, /^Nothing was written: .* Run the backup with the version of the server\.\n.*migration 9999/m)
  })

  test('on PostgreSQL the commands refer to its own tools', async () => {
    const place = ['--database-url', 'postgres://nobody@127.0.0.1:1/none']
    const taken = await command(['backup', 'x.bak', ...place])
    const restored = await command(['restore', 'x.bak', ...place])
    assert.deepEqual([taken.code, restored.code], [1, 1])
    assert.match(taken.stderr, /pg_dump/)
    assert.match(restored.stderr, /pg_restore/)
  })
})

/** Adds customers, one every 5 ms with at most `maxOpen` requests in flight, until `stop` is called. */
function writing(service: ServiceProcess) {
  const acknowledged: string[] = []
  const refused: (number | string)[] = []
  const calls: Promise<void>[] = []
  // `fetch` would take as much of the processors as the service, and leave it too little beside other tests.
  const clients = new ConcurrentClients([service], maxOpen)
  const idle = [...clients.numbers]
  let slowest = 0
  let going = true
  const began = performance.now()
  const add = async (client: number, name: string): Promise<void> => {
    const since = performance.now()
    const write = { path: '/customers/add/', body: { name, email: `${name}@example.com` } }
    const answer = await clients.attempt(client, write)
    const outcome = 'status' in answer ? answer.status : answer.lost
    idle.push(client)
    slowest = Math.max(slowest, performance.now() - since)
    if (outcome === 201) acknowledged.push(name)
    else refused.push(outcome)
  }
  const pace = (async () => {
    for await (const _ of setInterval(writesEach)) {
      if (!going) return
      // Each tick sends all writes that are due by the clock, because the timer may fire late.
      const due = (performance.now() - began) / writesEach
      while (calls.length < due) {
        const client = idle.pop()
        if (client === undefined) break
        calls.push(add(client, `customer${calls.length}`))
      }
    }
  })()
  return {
    acknowledged,
    async stop() {
      going = false
      const perSecond = (calls.length / (performance.now() - began)) * 1000
      await pace
      await Promise.all(calls)
      clients.close()
      return { refused, slowest, perSecond }
    },
  }
}

async function events(service: ServiceProcess, after = ''): Promise<{ seq: string; type: string }[]> {
  const { body } = await service.call<{ response: { seq: string; type: string }[] }>('GET', '/events/get/', {
    query: { after, limit: 500 },
  })
  return body.response
}

function names(file: string): Set<string> {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('select name from customer').all()
  database.close()
  return new Set(rows.map(({ name }) => String(name)))
}

function sql(file: string, text: string): void {
  const database = new DatabaseSync(file)
  database.exec(text)
  database.close()
}

/** Overwrites 300 bytes of every page of a database file except the first page; a page has 4,096 bytes. */
function overwrite(file: string): void {
  const bytes = readFileSync(file)
  for (let at = 4096 + 100; at < bytes.length; at += 4096) bytes.fill(0x5a, at, at + 300)
  writeFileSync(file, bytes)
}
