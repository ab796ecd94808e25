import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ownerOfPostgres } from '../support/postgres.ts'

const ipProgram = '/usr/sbin/ip'
const examples = join(import.meta.dirname, '../../examples/cluster')
const program = join(import.meta.dirname, '../../bin/daybook.js')
const numbers = [1, 2, 3] as const

/** The number of a machine of the cluster. */
export type NodeNumber = (typeof numbers)[number]

/** The state of one PostgreSQL server in Patroni's API. */
interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

/** The URL of the load balancer through which clients reach the service. */
export const balancer = 'http://127.0.0.1:8000'

/** Returns the Debian packages of the cluster that this machine lacks. */
export function missingPrograms(): readonly string[] {
  // Shell commands that succeed where a program is installed, each with the Debian package of the program.
  const wanted = {
    'command -v /usr/sbin/ip': 'iproute2',
    'command -v etcd': 'etcd-server',
    'command -v patroni': 'patroni',
    '/usr/bin/python3 -c "import etcd"': 'python3-etcd',
    'command -v haproxy': 'haproxy',
  }
  const absent = Object.entries(wanted).filter(
    ([present]) => spawnSync('sh', ['-c', present], { env: { PATH: path } }).status !== 0,
  )
  return absent.map(([, debianPackage]) => debianPackage)
}

/** Returns whether this process may create network namespaces. */
export function mayCreateNetworks(): boolean {
  const made = spawnSync(ipProgram, ['netns', 'add', 'daybook-try'])
  if (made.status === 0) spawnSync(ipProgram, ['netns', 'del', 'daybook-try'])
  return made.status === 0
}

/**
 * A cluster of three simulated machines, each a network namespace, with the configuration files of the guide to
 * failover: etcd, Patroni with PostgreSQL, HAProxy and Daybook. The machines reach each other through one network
 * (203.0.113.0/24); the load balancer reaches them through another (198.51.100.0/24), so a machine cut off from the
 * others still has clients.
 */
export class Cluster {
  readonly #folder: string
  readonly #children = new Set<ChildProcess>()
  /** The number of services that failed after their start. */
  failed = 0

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'daybook-cluster-'))
    chmodSync(this.#folder, 0o755)
  }

  /** Starts all processes and resolves when the service answers through the load balancer. */
  async start(): Promise<void> {
    removeNetworks()
    for (const [bridge, address] of [
      ['daybook-own', '203.0.113.254/24'],
      ['daybook-web', '198.51.100.254/24'],
    ] as const) {
      ip('link', 'add', bridge, 'type', 'bridge')
      ip('addr', 'add', address, 'dev', bridge)
      ip('link', 'set', bridge, 'up')
    }
    for (const node of numbers) {
      ip('netns', 'add', space(node))
      ip('-n', space(node), 'link', 'set', 'lo', 'up')
      connect(node, 'own', `203.0.113.${node}/24`)
      connect(node, 'web', `198.51.100.${node}/24`)
    }
    for (const node of numbers) this.#startDatabase(node)
    await eventually('three PostgreSQL servers with a synchronous standby', () => this.isWhole())
    await this.#createDatabase()
    for (const node of numbers) this.#startNode(node)
    const web = this.#write('web.cfg', webConfig(this.#folder).replaceAll('203.0.113.', '198.51.100.'))
    this.#run('web', 'haproxy', ['-db', '-f', web], { PATH: path })
    for (const url of [...numbers.map((node) => `http://198.51.100.${node}:8080`), balancer])
      await eventually(`an answer of ${url}`, async () => (await fetch(`${url}/health/ready`)).ok).catch((error) => {
        throw new Error(this.logs(), { cause: error })
      })
  }

  /** Resolves to whether all three PostgreSQL servers run and one of them is a synchronous standby. */
  async isWhole(): Promise<boolean> {
    const members = await this.#members()
    const running = members.filter(({ state }) => state === 'running' || state === 'streaming')
    return running.length === 3 && members.some(({ role }) => role === 'sync_standby')
  }

  /** Returns the number of the machine with the primary, or with the synchronous standby; fails when there is none. */
  async find(role: 'leader' | 'sync_standby'): Promise<NodeNumber> {
    const name = (await this.#members()).find((member) => member.role === role)?.name
    const found = numbers.find((node) => space(node) === `daybook-${name}`)
    assert.ok(found, `no ${role}`)
    return found
  }

  /** Kills every process of a machine with SIGKILL. */
  crash(node: NodeNumber): void {
    const pids = execFileSync(ipProgram, ['netns', 'pids', space(node)], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
    for (const pid of pids) {
      try {
        process.kill(Number(pid), 'SIGKILL')
      } catch {
        // The process has ended since it was listed.
      }
    }
  }

  /** Starts a crashed machine again. */
  boot(node: NodeNumber): void {
    this.#startDatabase(node)
    this.#startNode(node)
  }

  /** Cuts a machine off from the two others, but not from clients. */
  partition(node: NodeNumber): void {
    ip('link', 'set', `db-own${node}`, 'down')
  }

  heal(node: NodeNumber): void {
    ip('link', 'set', `db-own${node}`, 'up')
  }

  /** Runs a `daybook` command on machine 1 and returns its output. */
  daybook(...args: readonly string[]): string {
    const argv = ['netns', 'exec', space(1), process.execPath, program, ...args]
    return execFileSync(ipProgram, argv, { env: this.#environment(1), encoding: 'utf8' })
  }

  /** Applies a site file on machine 1. */
  apply(site: object): void {
    this.daybook('apply', this.#write('site.json', JSON.stringify(site)))
  }

  /**
   * Returns the URL of a database on the primary, for queries of the test: of `daybook` with the user of the service,
   * of any other database with the superuser.
   */
  async databaseUrl(database = 'daybook'): Promise<string> {
    const { DAYBOOK_DATABASE_URL = '', PATRONI_SUPERUSER_PASSWORD } = this.#environment(1)
    const [, user] = /\/\/(.*)@/.exec(DAYBOOK_DATABASE_URL) ?? []
    const as = database === 'daybook' ? user : `postgres:${PATRONI_SUPERUSER_PASSWORD}`
    return `postgres://${as}@203.0.113.${await this.find('leader')}:5432/${database}`
  }

  /** Returns the last 40 lines of each process's output, for the report of a failed test. */
  logs(): string {
    return execFileSync('sh', ['-c', `tail -n 40 ${this.#folder}/*.log`], { encoding: 'utf8' })
  }

  stop(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    removeNetworks()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #startDatabase(node: NodeNumber): void {
    const env = this.#environment(node)
    this.#run(`etcd${node}`, ipProgram, ['netns', 'exec', space(node), ...asPostgres, 'etcd'], env)
    const file = this.#write(`patroni${node}.yml`, readExample('patroni.yml'))
    this.#run(`patroni${node}`, ipProgram, ['netns', 'exec', space(node), ...asPostgres, 'patroni', file], env)
  }

  #startNode(node: NodeNumber): void {
    const config = this.#write(`postgres${node}.cfg`, readExample('haproxy-postgres.cfg'))
    const env = this.#environment(node)
    this.#run(`haproxy${node}`, ipProgram, ['netns', 'exec', space(node), 'haproxy', '-db', '-f', config], env)
    this.#startService(node, {
      ...env,
      DAYBOOK_HOST: `198.51.100.${node}`,
      DAYBOOK_TRUST_PROXY: '198.51.100.254',
    })
  }

  /**
   * Starts the service, and again when it fails because it does not find the database yet, like `Restart=on-failure` of
   * its unit. A service that ends later, other than by a signal, is counted in `failed`.
   */
  #startService(node: NodeNumber, env: NodeJS.ProcessEnv): void {
    const serve = ['netns', 'exec', space(node), process.execPath, program, 'serve']
    const since = performance.now()
    this.#run(`daybook${node}`, ipProgram, serve, env).on('exit', (code) => {
      if (!code) return
      if (performance.now() - since < startMilliseconds) this.#startService(node, env)
      else this.failed += 1
    })
  }

  async #createDatabase(): Promise<void> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: await this.databaseUrl('postgres') })
    await client.connect()
    await client.query("create role daybook login password 'change-this-4'")
    await client.query('create database daybook owner daybook')
    await client.end()
  }

  async #members(): Promise<readonly Member[]> {
    const answers = await Promise.allSettled(
      numbers.map(async (node) => {
        const signal = AbortSignal.timeout(2_000)
        const answer = await fetch(`http://203.0.113.${node}:8008/cluster`, { signal })
        return (await answer.json()) as { members: readonly Member[] }
      }),
    )
    return answers.find((answer) => answer.status === 'fulfilled')?.value.members ?? []
  }

  #environment(node: NodeNumber): NodeJS.ProcessEnv {
    const own: NodeJS.ProcessEnv = {
      PATH: path,
      HOME: this.#folder,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      DAYBOOK_LOG_LEVEL: 'warn',
    }
    const files = ['etcd.env', 'patroni.env', 'daybook.env']
    for (const line of files.flatMap((name) => readExample(name).split('\n'))) {
      const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
      if (name === undefined) continue
      own[name] =
        name === 'ETCD_INITIAL_CLUSTER'
          ? value
          : value.replaceAll('node1', `node${node}`).replaceAll('203.0.113.1', `203.0.113.${node}`)
    }
    const place = join(this.#folder, `node${node}`)
    mkdirSync(place, { recursive: true })
    if (process.getuid?.() === 0) chownSync(place, ...ownerOfPostgres())
    own.ETCD_DATA_DIR = join(place, 'etcd')
    own.PATRONI_POSTGRESQL_DATA_DIR = join(place, 'postgres')
    own.PATRONI_POSTGRESQL_PGPASS = join(place, 'pgpass')
    return own
  }

  /** Writes a file that the processes of one node read: another node that reads it meanwhile might find it empty. */
  #write(name: string, text: string): string {
    const file = join(this.#folder, name)
    writeFileSync(file, text)
    return file
  }

  #run(name: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
    const log = openSync(join(this.#folder, `${name}.log`), 'a')
    const child = spawn(command, args, { env, stdio: ['ignore', log, log], cwd: '/' })
    this.#children.add(child)
    child.on('exit', () => this.#children.delete(child))
    child.on('error', (error) => writeFileSync(log, String(error)))
    return child
  }
}

/** Repeats a check until it resolves to true, counting errors as false; fails after `seconds`. */
export async function eventually(what: string, ask: () => Promise<boolean>, seconds = 120): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  while (!(await ask().catch(() => false))) {
    assert.ok(performance.now() < deadline, `waited ${seconds} s for ${what}`)
    await pause(200)
  }
}

// Milliseconds within which a service that does not find the database ends.
const startMilliseconds = 15_000
const path = `${process.env.PATH}:/usr/sbin:/sbin:/usr/bin:/bin`
const asPostgres = ['runuser', '-u', 'postgres', '--']

function space(node: NodeNumber): string {
  return `daybook-node${node}`
}

function connect(node: NodeNumber, network: 'own' | 'web', address: string): void {
  const [outside, inside] = [`db-${network}${node}`, `${network}0`]
  ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', space(node))
  ip('link', 'set', outside, 'master', `daybook-${network}`, 'up')
  ip('-n', space(node), 'addr', 'add', address, 'dev', inside)
  ip('-n', space(node), 'link', 'set', inside, 'up')
}

function killAll(node: NodeNumber): void {
  const { stdout } = spawnSync(ipProgram, ['netns', 'pids', space(node)], { encoding: 'utf8', env: { PATH: path } })
  for (const pid of stdout.split('\n').filter(Boolean)) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // The process has ended since it was listed.
    }
  }
}

/** Removes the networks and processes of this run, and those that a killed run has left. */
function removeNetworks(): void {
  for (const node of numbers) {
    killAll(node)
    spawnSync(ipProgram, ['netns', 'del', space(node)])
  }
  for (const link of ['daybook-own', 'daybook-web', ...numbers.flatMap((node) => [`db-own${node}`, `db-web${node}`])])
    spawnSync(ipProgram, ['link', 'del', link])
}

function ip(...args: readonly string[]): void {
  execFileSync(ipProgram, args, { env: { PATH: path } })
}

/**
 * Returns the load balancer's configuration, with its control socket in a folder of the test and the port of
 * `balancer`.
 */
export function webConfig(folder: string): string {
  const port = `bind ${new URL(balancer).host}`
  return readExample('haproxy-web.cfg').replaceAll('/run/haproxy', folder).replace('bind :80', port)
}

function readExample(name: string): string {
  return readFileSync(join(examples, name), 'utf8')
}
