import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { databasesHere, emptyDatabase } from '../support/databases.ts'
import { command, endProcess, freshFolder, type Server, serve } from '../support/daybook.ts'
import type { AnyBody, AnyRow } from '../support/service.ts'

/** The initial clock of the demo: Monday 2026-10-05, 06:00 UTC, in Unix seconds. */
const now = 1_791_180_000
const day = 86_400
const env = { ...process.env, DAYBOOK_NOW: String(now) }
const next14Days = `/availability/get/?min_timestamp=${now}&max_timestamp=${now + 14 * day}`

/** A running demo server, with the tokens and the curl commands that it printed. */
interface Demo {
  readonly server: Server
  readonly read: string
  readonly write: string
  readonly curl: readonly string[]
  get(path: string, token?: string): Promise<{ status: number; body: AnyBody }>
  post(path: string, body: object, token?: string): Promise<{ status: number; body: AnyBody }>
}

async function startDemo(...place: readonly string[]): Promise<Demo> {
  const server = await serve(['--demo', ...place], env)
  const printed = server.stdout()
  const token = (name: string): string => new RegExp(`^${name} token: (dbk_\\w{40})$`, 'm').exec(printed)?.[1] ?? ''
  const read = token('Read')
  const write = token('Write')
  const root = /^API root: (.+)$/m.exec(printed)?.[1] ?? ''
  const ask = async (path: string, bearer: string, more: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${root}${path}`, { headers, ...more })
    const body: AnyBody = JSON.parse(await answer.text())
    return { status: answer.status, body }
  }
  return {
    server,
    read,
    write,
    curl: printed.split('\n').filter((line) => line.startsWith('curl ')),
    get: (path, bearer = read) => ask(path, bearer),
    post: (path, body, bearer = write) => ask(path, bearer, { method: 'POST', body: JSON.stringify(body) }),
  }
}

async function list(demo: Demo, path: string): Promise<readonly AnyRow[]> {
  const { status, body } = await demo.get(path)
  assert.equal(status, 200, path)
  return body.response
}

const everything = '/reservations/get/?past=true'

describe('a demo', { timeout: 600_000 }, () => {
  const folder = freshFolder()
  let demo: Demo
  before(async () => {
    demo = await startDemo('--data-dir', folder)
  })
  after(() => endProcess(demo.server.child, 'SIGKILL'))

  test('is a clinic of six providers, eight services and two hundred customers', async () => {
    const counts = ['/providers/get/', '/services/get/', '/customers/get/'].map(async (path) => list(demo, path))
    assert.deepEqual(
      (await Promise.all(counts)).map((rows) => rows.length),
      [6, 8, 200],
    )
  })

  test('has three months of past reservations and one ahead, in all states', async () => {
    const reservations = await list(demo, everything)
    const past = reservations.filter(({ start }) => Number(start) < now)
    const ahead = reservations.filter(({ start }) => Number(start) >= now)
    for (const part of [past, ahead]) {
      assert.deepEqual(new Set(part.map(({ status }) => status)), new Set(['pending', 'confirmed', 'cancelled']))
    }
    const starts = reservations.map(({ start }) => (Number(start) - now) / day)
    assert.ok(past.length > 1_000 && Math.min(...starts) < -85, `${past.length} past`)
    assert.ok(ahead.length > 100 && Math.max(...starts) > 21, `${ahead.length} ahead`)
  })

  test('has slots of every service in the next fortnight', async () => {
    const offered = new Set((await list(demo, next14Days)).map(({ serviceId }) => serviceId))
    assert.deepEqual(offered, new Set((await list(demo, '/services/get/')).map(({ id }) => id)))
  })

  test('prints three curl commands that work as printed', async () => {
    const [verified, services, slots, ...more] = await Promise.all(
      demo.curl.map(async (line) => JSON.parse((await promisify(execFile)('bash', ['-c', line])).stdout)),
    )
    assert.deepEqual(more, [])
    assert.deepEqual(verified.response.scopes, ['read'])
    assert.equal(services.response.length, 8)
    assert.equal(slots.response.length, 10)
    for (const { start } of slots.response) assert.ok(start >= now && start < now + 7 * day)
  })

  test('prints a read token that cannot write', async () => {
    const { status } = await demo.post('/services/add/', { name: 'Not allowed' }, demo.read)
    assert.equal(status, 403)
  })

  test('lists slots of a service added by the API at once, with three providers', async () => {
    const { status, body } = await demo.post('/services/add/', { name: 'Hearing test' })
    assert.equal(status, 200)
    const slots = await list(demo, `${next14Days}&services=${body.id}`)
    assert.deepEqual(new Set(slots.map(({ providerId }) => providerId)), new Set([1, 2, 3]))
  })

  test('keeps changes across a restart, and revokes its former tokens', async () => {
    const [customer] = await list(demo, '/customers/get/')
    await demo.post('/customers/edit/', { id: customer?.id, name: 'Renamed Meanwhile' })
    const paths = ['/services/get/', '/providers/get/', '/customers/get/', everything]
    const kept = await Promise.all(paths.map((path) => list(demo, path)))
    await endProcess(demo.server.child, 'SIGTERM')
    const former = demo
    demo = await startDemo('--data-dir', folder)

    assert.deepEqual(await Promise.all(paths.map((path) => list(demo, path))), kept)
    for (const token of [former.read, former.write]) {
      const { status, body } = await demo.get('/auth/verify/', token)
      assert.deepEqual([status, body.data.reason], [401, 'revoked_token'])
    }
    const { body } = await demo.get('/auth/verify/', demo.write)
    assert.deepEqual(body.response, { name: 'Demo (write)', scopes: ['read', 'write'], siteUrl: '' })
  })
})

test('a demo leaves a site with data unchanged, says so and prints tokens', async () => {
  const folder = freshFolder()
  const file = join(freshFolder(), 'site.json')
  writeFileSync(file, JSON.stringify({ services: [{ name: 'Haircut' }], providers: [{ name: 'Ana Ruiz' }] }))
  const applied = await command(['apply', file, '--data-dir', folder], env)
  assert.equal(applied.code, 0, applied.stderr)

  const demo = await startDemo('--data-dir', folder)

  assert.deepEqual(
    (await list(demo, '/services/get/')).map(({ name }) => name),
    ['Haircut'],
  )
  assert.deepEqual(await list(demo, '/customers/get/'), [])
  assert.match(demo.server.stderr(), /The site is not empty: it stays as it is\./)
  await endProcess(demo.server.child, 'SIGTERM')
})

test('a demo does not fill a site that was emptied by hand', async () => {
  const folder = freshFolder()
  const file = join(freshFolder(), 'site.json')
  writeFileSync(file, JSON.stringify({ services: [{ name: 'Haircut' }] }))
  await command(['apply', file, '--data-dir', folder], env)
  const first = await startDemo('--data-dir', folder)
  const [service] = await list(first, '/services/get/')
  const removed = await first.post(`/services/remove/?id=${service?.id}`, {})
  assert.equal(removed.status, 200)
  await endProcess(first.server.child, 'SIGTERM')

  const second = await startDemo('--data-dir', folder)
  assert.deepEqual(await list(second, '/services/get/'), [])
  assert.deepEqual(await list(second, '/providers/get/'), [])
  await endProcess(second.server.child, 'SIGTERM')
})

const noNpm = process.platform === 'win32' ? 'signals are of POSIX' : false
test('a demo stops gracefully under npm', { skip: noNpm, timeout: 600_000 }, async () => {
  const npm = spawn('npm', ['run', 'demo', '--', '--port', '0', '--data-dir', freshFolder()], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  npm.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('API root: ')) npm.kill('SIGTERM')
  })
  // The pipes close when the last process that holds them has ended: the service, which npm started.
  await once(npm, 'close')
  assert.match(said, /"signal":"SIGTERM","msg":"stopping"/)
})

const postgres = (await databasesHere()).find(({ kind }) => kind === 'postgres')
test('a demo fills an empty PostgreSQL database too', { skip: postgres?.skip ?? false, timeout: 600_000 }, async () => {
  const fresh = await emptyDatabase()
  const demo = await startDemo('--database-url', 'databaseUrl' in fresh.at ? fresh.at.databaseUrl : '')
  assert.equal((await list(demo, '/customers/get/')).length, 200)
  assert.ok((await list(demo, everything)).length > 1_000)
  await endProcess(demo.server.child, 'SIGTERM')
  await fresh.remove()
})
