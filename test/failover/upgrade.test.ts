import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import pg from 'pg'
import { standardSite } from '../support/clinic.ts'
import { type ContendedSlot, noRoom } from '../support/contended-site.ts'
import { databasesHere } from '../support/databases.ts'
import { createDatabase, dropDatabase, freePort, type PostgresServer, postgresServer } from '../support/postgres.ts'
import { proved } from '../support/proof.ts'
import { scale, seed, seededRandom, suiteTimeout } from '../support/scale.ts'
import { present } from '../support/test-site.ts'
import { eventually, missingPrograms, webConfig } from './cluster.ts'

const root = join(import.meta.dirname, '../..')
const clients = 20
const balancerProgram = '/usr/sbin/haproxy'

/**
 * The outcome of one request: when it was sent, in milliseconds of `performance.now()`, and the status; 0 when the
 * connection was lost.
 */
interface Outcome {
  readonly at: number
  readonly status: number
  readonly text: string
}

describe('an upgrade node by node', { skip: await unable(), timeout: suiteTimeout }, () => {
  const running: ChildProcess[] = []
  let folder: string
  let previous: string
  let server: PostgresServer
  let databaseUrl: string
  let ports: readonly [number, number, number, number]
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'daybook-upgrade-'))
    previous = extractPrevious(folder)
    server = present(await postgresServer())
    databaseUrl = await createDatabase(server)
    ports = [await freePort(), await freePort(), await freePort(), await freePort()]
  })
  after(async () => {
    for (const child of running) child.kill('SIGKILL')
    if (databaseUrl) await dropDatabase(server, databaseUrl)
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  const daybook = (tree: string, ...args: readonly string[]): string =>
    execFileSync(process.execPath, [join(tree, 'bin/daybook.js'), ...args, '--database-url', databaseUrl], {
      encoding: 'utf8',
    })

  async function startNode(tree: string, port: number): Promise<ChildProcess> {
    const address = ['--database-url', databaseUrl, '--port', String(port), '--trust-proxy', '127.0.0.1']
    // The drain time is an environment variable, because the previous revision may refuse an unknown option.
    const env = { ...process.env, DAYBOOK_DRAIN_SECONDS: '4' }
    const child = spawn(process.execPath, [join(tree, 'bin/daybook.js'), 'serve', ...address], { env, stdio: 'ignore' })
    running.push(child)
    await eventually('the node', async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok)
    return child
  }

  async function stopNode(child: ChildProcess): Promise<void> {
    child.kill('SIGTERM')
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
    assert.equal(code, 0)
  }

  test(`loses no request of ${clients} clients, and refuses for less than a second`, async (t) => {
    const [web, ...nodes] = ports
    let config = webConfig(folder).replace('127.0.0.1:8000', `127.0.0.1:${web}`)
    for (const [n, port] of nodes.entries()) config = config.replace(`203.0.113.${n + 1}:8080`, `127.0.0.1:${port}`)
    const file = join(folder, 'web.cfg')
    writeFileSync(file, config)
    const old = [await startNode(previous, nodes[0]), await startNode(previous, nodes[1])]
    const token = daybook(previous, 'token', 'create', '--name', 'test', '--scope', 'write').trim()
    const site = join(folder, 'site.json')
    writeFileSync(site, JSON.stringify(standardSite))
    daybook(previous, 'apply', site)
    running.push(spawn(balancerProgram, ['-db', '-f', file], { stdio: 'ignore' }))
    const url = `http://127.0.0.1:${web}/api/v1`
    await eventually('the balancer', async () => (await fetch(`http://127.0.0.1:${web}/health/ready`)).ok)
    const load = await Load.start(url, token)
    // Clients that a failed test left behind would occupy the process until its timeout.
    t.after(() => load.stop())
    await load.next(100)
    const upgraded = [await startNode(root, nodes[2])]
    await load.next(100)
    // The test tells the load balancer to drain each old node, because the previous revision may not announce that it
    // will stop.
    for (const [n, one] of old.entries()) {
      await tellBalancer(join(folder, 'admin.sock'), `set server daybook/node${n + 1} state drain`)
      await load.next(20)
      await stopNode(one)
      await load.next(50)
      upgraded.push(await startNode(root, present(nodes[n])))
      await tellBalancer(join(folder, 'admin.sock'), `set server daybook/node${n + 1} state ready`)
      await load.next(100)
    }
    // A node of the current revision is stopped by the signal alone: it announces to the load balancer that it drains.
    await stopNode(present(upgraded[0]))
    await load.next(100)
    const { outcomes, booked } = await load.stop()
    const refused = outcomes.filter(({ status }) => status === 503).map(({ at }) => at)
    const seconds = refused.length === 0 ? 0 : (Math.max(...refused) - Math.min(...refused)) / 1000
    const failed = outcomes.filter(({ status, text }) => !isAnswered(status) && !isWithoutRoom(status, text))
    assert.deepEqual(failed, [])
    const stored = new Set(await reservations(databaseUrl))
    assert.ok(booked.length > 0, 'no booking was accepted')
    assert.equal(new Set(booked).size, booked.length)
    assert.deepEqual(
      booked.filter((id) => !stored.has(id)),
      [],
    )
    assert.ok(seconds < 1, `refused for ${seconds} s`)
    assert.match(daybook(root, 'doctor'), /nodes/i)
    proved(t, 'U1', {
      requests: outcomes.length,
      bookings: booked.length,
      failed: 0,
      refused: refused.length,
      'worst seconds of refusals': seconds,
    })
  })
})

/** Sends a command to the load balancer's control socket. */
async function tellBalancer(socket: string, command: string): Promise<void> {
  const connection = connect(socket)
  connection.write(`${command}\n`)
  connection.resume()
  await once(connection, 'close')
}

function isAnswered(status: number): boolean {
  return status === 200 || status === 201 || status === 503
}

/** Whether a booking was refused because another client had taken the slot. */
function isWithoutRoom(status: number, text: string): boolean {
  return status === 403 && noRoom.some((reason) => text.includes(`"${reason}"`))
}

/** Returns the ids of all stored reservations. */
async function reservations(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query('select id from reservation')
  await client.end()
  return rows.map(({ id }) => id)
}

/** Clients that list slots, add a customer and book one of the slots through the load balancer, in turns. */
class Load {
  readonly #outcomes: Outcome[] = []
  readonly #booked: string[] = []
  readonly #url: string
  readonly #token: string
  readonly #serviceId: string
  readonly #clients: Promise<unknown>
  readonly #random = seededRandom(seed)
  #stopping = false

  private constructor(url: string, token: string, serviceId: string) {
    this.#url = url
    this.#token = token
    this.#serviceId = serviceId
    this.#clients = Promise.all(Array.from({ length: clients }, (_, client) => this.#run(client)))
  }

  static async start(url: string, token: string): Promise<Load> {
    const answer = await fetch(`${url}/services/get/`, { headers: { Authorization: `Bearer ${token}` } })
    const { response } = (await answer.json()) as { response: readonly { id: string; name: string }[] }
    return new Load(url, token, present(response.find(({ name }) => name === 'plain')).id)
  }

  async #run(client: number): Promise<void> {
    for (let n = 0; !this.#stopping; n += 1) {
      const slots = await this.#list()
      await pause(20)
      const customerId = await this.#addCustomer(`c${client}-${n}`)
      await pause(20)
      const slot = slots[Math.floor(this.#random() * slots.length)]
      if (customerId === undefined || slot === undefined) continue
      const { availabilityId, serviceId, providerId, start, end } = slot
      const booking = { availabilityId, serviceId, providerId, start, end, customerId }
      const booked = await this.#send<{ id: string }>('/reservations/add/', booking)
      if (booked) this.#booked.push(booked.id)
      await pause(20)
    }
  }

  /** Lists the slots of one of the next 50 days, so that most slots are free throughout the test. */
  async #list(): Promise<readonly ContendedSlot[]> {
    const from = Math.floor(Date.now() / 1000) + 86_400 * Math.floor(this.#random() * 50)
    const query = `min_timestamp=${from}&max_timestamp=${from + 86_400}&services=${this.#serviceId}`
    const listed = await this.#send<{ response: readonly ContendedSlot[] }>(`/availability/get/?${query}`)
    return listed?.response ?? []
  }

  async #addCustomer(name: string): Promise<string | undefined> {
    return (await this.#send<{ id: string }>('/customers/add/', { name, email: `${name}@clinic.example` }))?.id
  }

  /** Sends a request and records its outcome; returns the body of a successful response. */
  async #send<T>(path: string, body?: object): Promise<T | undefined> {
    const at = performance.now()
    try {
      const answer = await fetch(this.#url + path, {
        headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      this.#outcomes.push({ at, status: answer.status, text: answer.ok ? '' : text })
      return answer.ok ? JSON.parse(text) : undefined
    } catch (error) {
      this.#outcomes.push({
        at,
        status: 0,
        text: inspect(error, { breakLength: Number.POSITIVE_INFINITY }).slice(0, 600),
      })
      return undefined
    }
  }

  /** Resolves when the clients have completed, on average, `count` more requests each. */
  async next(count: number): Promise<void> {
    const target = this.#outcomes.length + count * clients
    await eventually('requests', async () => this.#outcomes.length >= target)
  }

  /** Stops the clients; returns the outcomes of all requests and the ids of the accepted bookings. */
  async stop(): Promise<{ readonly outcomes: readonly Outcome[]; readonly booked: readonly string[] }> {
    this.#stopping = true
    await this.#clients
    return { outcomes: this.#outcomes, booked: this.#booked }
  }
}

/**
 * Returns the last revision with fewer migrations, all of which the current revision has; undefined where the git
 * history does not reach back so far. A revision in between can have a migration that a later one removed again.
 */
function previousRevision(): string | undefined {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const migrationsOf = (revision: string): string[] =>
    git('ls-tree', '--name-only', revision, 'src/db/migrations/').split('\n')
  try {
    const current = new Set(migrationsOf('HEAD'))
    const changes = git('log', '--no-merges', '--format=%H', '--', 'src/db/migrations/*.sql').split('\n')
    const next = changes.find((change) => {
      const migrations = migrationsOf(`${change}^`)
      return migrations.length < current.size && migrations.every((name) => current.has(name))
    })
    return next && git('rev-parse', '--verify', `${next}^`)
  } catch {
    return undefined
  }
}

/** Extracts the previous revision with the packages of its own lockfile, and returns its directory. */
function extractPrevious(folder: string): string {
  const tree = join(folder, 'previous')
  mkdirSync(tree)
  execFileSync('sh', ['-c', `git archive ${present(previousRevision())} | tar -x -C "${tree}"`], { cwd: root })
  const lock = 'package-lock.json'
  const isSame = readFileSync(join(tree, lock), 'utf8') === readFileSync(join(root, lock), 'utf8')
  if (isSame) symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  else execFileSync('npm', ['ci', '--no-progress', '--omit=dev'], { cwd: tree, stdio: 'ignore' })
  assert.ok(existsSync(join(tree, 'node_modules')))
  return tree
}

async function unable(): Promise<string | false> {
  if (scale <= 1) return 'only in a full run: it installs the previous revision and starts six processes'
  if (missingPrograms().includes('haproxy')) return "needs Debian's haproxy"
  if (previousRevision() === undefined) return 'the history does not reach back to the last migration'
  const [, postgres] = await databasesHere()
  return postgres?.skip ?? false
}
