import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sealTotp } from '../../src/access/second-factors/totp.ts'
import { hostSecretPlace } from '../../src/booking-page/host/host-secret.operations.ts'
import { encrypt } from '../../src/encryption.ts'
import { standardSite } from '../support/clinic.ts'
import { type CommandResult, command, freshFolder } from '../support/daybook.ts'
import { pause } from '../support/pause.ts'
import { hangLimit } from '../support/scale.ts'
import { type AnyRow, eachDatabase, type ServiceProcess, startService } from '../support/service.ts'
import { openSql } from '../support/sql.ts'

interface Check {
  readonly check: string
  readonly state: string
  readonly sentence: string
}

eachDatabase((kind, open) => {
  describe('doctor', { timeout: 600_000 }, () => {
    let service: ServiceProcess
    before(async () => {
      service = await open({ site: standardSite })
    })

    test('finds nothing wrong with a configured service', async () => {
      const { code, stdout } = await settled(service)
      assert.equal(code, 0, stdout)
      assert.match(stdout, kind === 'sqlite' ? /^ok {4}database: SQLite 3\./m : /^ok {4}extension: btree_gist/m)
      assert.match(stdout, /^ok {4}tokens: 2 in use\.$/m)
      assert.match(stdout, /^ok {4}feed: 0 s behind\.$/m)
      assert.doesNotMatch(stdout, /^fail/m)
    })

    test('names services without a slot or a provider, and tokens that expire soon', async () => {
      await service.apply({
        services: [{ key: 'nobody', name: 'Nobody does this' }],
        providers: standardSite.providers.map(({ id, name }) => ({
          id,
          name,
          services: { nobody: { participate: false } },
        })),
      })
      await service.daybook('token', 'create', '--name', 'Short', '--scope', 'read', '--expires', '2d')
      const checks = await examined(service)
      assert.match(sentence(checks, 'services'), /No provider offers Nobody does this/)
      assert.match(sentence(checks, 'slots'), /Nobody does this/)
      assert.match(sentence(checks, 'tokens'), /Expiring soon: Short on 20/)
    })

    test('fails with exit code 1 when occupancy and reservations disagree', async () => {
      const sql = openSql(service)
      await sql(
        "insert into occupancy (id, reservation_id, resource, slot, seat, start_at, end_at) values ('o', 'r', 'p1', 's:1:2', 1, 1, 2)",
      )
      const { code, stdout } = await service.daybook('doctor')
      await sql("delete from occupancy where id = 'o'")
      await sql.close()
      assert.equal(code, 1)
      assert.match(stdout, /^fail {2}seats: 1 seats are held by no reservation that takes room\./m)
    })

    test('reports the location of the encryption key, and fails when it is missing', async () => {
      const before = sentence(await examined(service), 'secret key')
      assert.match(before, kind === 'sqlite' ? /^None yet/ : /^None: set DAYBOOK_SECRET_KEY/)
      const sql = openSql(service)
      await sql(
        "insert into person (id, email, email_key, role, name, status, created_at, updated_at) values ('u', 'e', 'e', 'admin', '', 'active', 1, 1)",
      )
      const key = randomBytes(32)
      await sql('insert into totp (person_id, secret, created_at, confirmed_at, last_step) values (?, ?, 1, 1, 0)', [
        'u',
        sealTotp([key], 'u', 'ABCDEFGH'),
      ])
      await sql("insert into host_secret (id, sealed, created_at) values ('site', ?, 1)", [
        encrypt([key], 'of the host site', hostSecretPlace),
      ])
      const gone = await service.daybook('doctor')
      assert.equal(gone.code, 1)
      assert.match(gone.stdout, /^fail {2}secret key: .*2 stored secrets .*cannot be decrypted without it/m)
      if (kind === 'sqlite') {
        const file = join(service.dataDir, 'secret.key')
        writeFileSync(file, `${'0'.repeat(64)}\n`, { mode: 0o600 })
        const wrong = await service.daybook('doctor')
        assert.equal(wrong.code, 1)
        assert.match(wrong.stdout, /^fail {2}secret key: Another key: 2 stored secrets/m)
        writeFileSync(file, `${key.toString('hex')}\n`)
        assert.match((await service.daybook('doctor')).stdout, /^ok {4}secret key: .*keep a copy/m)
        chmodSync(file, 0o644)
        assert.match((await service.daybook('doctor')).stdout, /^warn {2}secret key: .*chmod 600/m)
      }
      await sql("delete from totp where person_id = 'u'")
      await sql('delete from host_secret')
      await sql("delete from person where id = 'u'")
      await sql.close()
    })

    // On SQLite each transaction number is derived from the highest number in the event log, so the log cannot be
    // ahead.
    if (kind === 'sqlite') return
    test('opening a database whose log is ahead of its transaction numbers continues the feed after it', async () => {
      const sql = openSql(service)
      await sql('update event set tx = tx + 1000000000')
      await service.daybook('doctor')
      await sql.close()
      const moved = await eventAfter(service, '')
      await service.call('POST', '/customers/add/', { body: { name: 'New', email: 'new@example.com' } })
      assert.equal((await eventAfter(service, String(moved.seq))).type, 'customer.created')
    })
  })
})

/**
 * Runs `daybook doctor` until the feed is up to date, for at most `hangLimit`; transactions of other tests on the same
 * server delay the feed.
 */
async function settled(service: ServiceProcess): Promise<CommandResult> {
  const until = performance.now() + hangLimit
  for (;;) {
    const said = await service.daybook('doctor')
    if (/feed: 0 s/.test(said.stdout) || performance.now() > until) return said
  }
}

/**
 * Returns the newest event of the feed after a position, once there is one; transactions of other tests on the same
 * server delay the feed.
 */
async function eventAfter(service: ServiceProcess, after: string): Promise<AnyRow> {
  const until = performance.now() + hangLimit
  for (;;) {
    const { body } = await service.call('GET', '/events/get/', { query: { after, limit: 500 } })
    const last = body.response.at(-1)
    if (last) return last
    assert.ok(performance.now() < until, 'The feed did not tell of the change in time.')
    await pause()
  }
}

describe('doctor on the embedded database', { timeout: 600_000 }, () => {
  let service: ServiceProcess
  before(async () => {
    service = await startService({ now: 1_800_000_000 })
  })
  after(() => service.kill())

  test('warns about an empty site, an injected clock, and a directory that others can read', async () => {
    chmodSync(service.dataDir, 0o755)
    const checks = await examined(service)
    chmodSync(service.dataDir, 0o700)
    const warnings = checks.flatMap(({ check, state }) => (state === 'warn' ? [check] : []))
    assert.deepEqual(warnings, ['data folder', 'clock', 'site address', 'services'])
  })

  test('reports the same without a server', async () => {
    const dataDir = freshFolder()
    const { code, stdout } = await command(['doctor', '--data-dir', dataDir])
    assert.equal(code, 0)
    assert.match(stdout, /^warn {2}tokens: None is in use/m)
  })
})

async function examined(service: ServiceProcess): Promise<Check[]> {
  const { stdout } = await service.daybook('doctor', '--json')
  const { checks }: { checks: Check[] } = JSON.parse(stdout)
  return checks
}

function sentence(checks: readonly Check[], name: string): string {
  return checks.find(({ check }) => check === name)?.sentence ?? ''
}
