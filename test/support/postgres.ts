import { execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, chownSync, mkdtempSync, readdirSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { pause } from './pause.ts'

/** A PostgreSQL server on which tests may create and drop databases. */
export interface PostgresServer {
  /** The URL with which a role that may create databases connects. */
  readonly url: string
  stop(): Promise<void>
}

/** A PostgreSQL server that a test started for itself, and can stop and start again. */
export interface OwnPostgresServer extends PostgresServer {
  /**
   * Stops the server and resolves when it refuses connections. Sessions are aborted; in the mode `immediate`, the next
   * start begins with crash recovery.
   */
  shutDown(mode: 'fast' | 'immediate'): Promise<void>
  /** Starts the server after `shutDown`, on the same port and data, and resolves when it accepts connections. */
  start(): Promise<void>
}

let shared: Promise<PostgresServer | undefined> | undefined

/**
 * Returns the server of `DAYBOOK_TEST_POSTGRES_URL`, or one that the first call starts and that stops when this
 * process ends in any way; undefined where PostgreSQL is not installed.
 */
export function postgresServer(): Promise<PostgresServer | undefined> {
  const given = process.env.DAYBOOK_TEST_POSTGRES_URL
  shared ??= given ? Promise.resolve({ url: given, stop: async () => {} }) : startPostgres()
  return shared
}

/** Whether `postgresServer` will return a server. */
export function hasPostgres(): boolean {
  return Boolean(process.env.DAYBOOK_TEST_POSTGRES_URL) || postgresPrograms() !== undefined
}

/**
 * Starts a separate PostgreSQL server; undefined where PostgreSQL is not installed. The server runs without fsync, so
 * a test of power loss cannot use it.
 */
export async function startPostgres(): Promise<OwnPostgresServer | undefined> {
  const programs = postgresPrograms()
  if (!programs) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'daybook-postgres-'))
  if (isRoot) chownSync(folder, ...ownerOfPostgres())
  const port = await freePort()
  const settings = [
    ...['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`, 'max_connections=200'],
    ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  ].map((setting) => `-c ${setting}`)
  // Each line of the shell's input is `start`, or the signal that stops PostgreSQL. The shell also stops PostgreSQL when
  // its input closes, which happens even when the test process is killed.
  const script = `
    "${programs}/initdb" -D "${folder}/data" -U daybook -A trust -E UTF8 --locale=C.UTF-8 --no-sync >"${folder}/log" 2>&1 || exit 1
    start() {
      "${programs}/postgres" -D "${folder}/data" ${settings.join(' ')} </dev/null >>"${folder}/log" 2>&1 &
      server=$!
    }
    start
    while read -r line
    do if [ "$line" = start ]; then start; else kill "-$line" $server; wait $server; fi
    done
    kill -QUIT $server
    wait $server
    rm -rf "${folder}"`
  const [command, ...before] = isRoot ? ['runuser', '-u', 'postgres', '--', 'sh'] : ['sh']
  const child = spawn(command ?? 'sh', [...before, '-c', script], {
    cwd: '/',
    // The PATH is extended, because `runuser` is in /usr/sbin, which a short PATH omits.
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  child.unref()
  const input: unknown = child.stdin
  // The child's input must not keep this process running; only streams over sockets, such as this one, have `unref`.
  if (input && typeof input === 'object' && 'unref' in input && typeof input.unref === 'function') input.unref()
  const url = `postgres://daybook@127.0.0.1:${port}/postgres`
  await answers(url, ended)
  return {
    url,
    shutDown: async (mode) => {
      child.stdin.write(mode === 'fast' ? 'INT\n' : 'QUIT\n')
      while (!(await refuses(port))) await pause()
    },
    start: () => {
      child.stdin.write('start\n')
      return answers(url, ended)
    },
    stop: async () => {
      child.ref()
      child.stdin.end()
      await ended
    },
  }
}

const isRoot = process.getuid?.() === 0

/** Returns the ids of the user and group as which PostgreSQL runs when the test process runs as root. */
export function ownerOfPostgres(): [number, number] {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return [id('-u'), id('-g')]
}

/**
 * Returns the directory of `initdb` and `postgres` from the PATH or, on Debian, of the newest installed version;
 * undefined when there is none.
 */
function postgresPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = readable(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ]
  return folders.find(
    (folder) => folder !== '' && readable(join(folder, 'initdb')) && readable(join(folder, 'postgres')),
  )
}

function readable(path: string): boolean {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}

// The range of ports is below the ports that Linux assigns to connections and to servers that ask for any port.
const [firstPort, lastPort] = [20_000, 32_000]
let nextPort = randomInt(firstPort, lastPort)

/**
 * Returns a port of this machine that no program uses, and that no other call in this process has returned. No server
 * or connection of a test can get the port before the program for which it is meant, because the kernel assigns others.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort
    nextPort = port < lastPort ? port + 1 : firstPort
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error
        return false
      },
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}

/**
 * Resolves when the server at a URL accepts connections; rejects when `ended` resolves first, or when the server still
 * refuses connections after two minutes.
 */
export async function answers(url: string, ended: Promise<unknown>): Promise<void> {
  const stopped = ended.then(() => {
    throw new Error('PostgreSQL did not start.')
  })
  // If the process ends before the server accepts connections, `Promise.race` reports the end; a later end is intended
  // and must not be an unhandled rejection.
  stopped.catch(() => {})
  const giveUpAt = Date.now() + 120_000
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    const refused = await Promise.race([
      client.connect().then(
        () => undefined,
        (error: unknown) => error ?? 'refused',
      ),
      stopped,
    ])
    if (!refused) return client.end()
    if (Date.now() > giveUpAt) throw refused
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function refuses(port: number): Promise<boolean> {
  const connection = connect(port, '127.0.0.1')
  const refused = await once(connection, 'connect').then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
  )
  connection.destroy()
  return refused
}

/** Runs statements as the administrator of the server. */
export async function administer(server: PostgresServer, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Creates a database with a random name on this server, as a copy of a template, and returns its URL. */
export async function createDatabase(server: PostgresServer, template = 'template1'): Promise<string> {
  const name = `daybook_${randomBytes(8).toString('hex')}`
  await administer(server, `create database ${name} template ${template}`)
  return databaseUrl(server, name)
}

/** Returns the URL of a database on this server. */
export function databaseUrl(server: PostgresServer, name: string): string {
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
}

/** Drops a database, if it exists, and terminates the connections to it. */
export async function dropDatabase(server: PostgresServer, url: string): Promise<void> {
  await administer(server, `drop database if exists ${new URL(url).pathname.slice(1)} with (force)`)
}
