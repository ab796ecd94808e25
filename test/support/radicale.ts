import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request as requestTo, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freshFolder } from './daybook.ts'
import { freePort } from './postgres.ts'

const program = '/usr/bin/radicale'

/** Whether Radicale is installed. */
export function hasRadicale(): boolean {
  return existsSync(program)
}

/** The user of the server. */
export const user = 'ana'
/** The password of the user. */
export const password = 'Zaunkönig 7'

/** One request that reached the server. */
export interface Passed {
  readonly method: string
  readonly path: string
  readonly status: number
}

/** How a request is answered instead of by Radicale; false to pass the request on. */
export type Interference = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * A CalDAV server as sites use it: Radicale from Debian, on a port of this machine. Clients reach it through `url`, where a
 * test can answer in its place.
 */
export class Radicale {
  /** The address through which a test can interfere. */
  readonly url: string
  /** The address of Radicale itself. */
  readonly direct: string
  readonly requests: Passed[] = []
  /** Answers in place of Radicale. */
  interfere: Interference = () => false
  /** Called when Radicale has answered a request, before its answer is passed on; false loses the answer. */
  passed: (request: Passed) => boolean = () => true
  readonly #folder: string
  readonly #port: number
  readonly #door: Server
  #child: ReturnType<typeof spawn> | undefined

  private constructor(folder: string, port: number, door: Server) {
    this.#folder = folder
    this.#port = port
    this.#door = door
    this.url = `http://127.0.0.1:${(door.address() as AddressInfo).port}/`
    this.direct = `http://127.0.0.1:${port}/`
  }

  /** Starts a server with one user and the calendars `work` and `private`, which are empty. */
  static async start(): Promise<Radicale> {
    const folder = freshFolder()
    const port = await freePort()
    const door = createServer((request, response) => server.#answer(request, response))
    door.listen(0, '127.0.0.1')
    await once(door, 'listening')
    const server: Radicale = new Radicale(folder, port, door)
    writeFileSync(join(folder, 'users'), `${user}:${password}\n`)
    writeConfiguration(folder, port)
    await server.resume()
    for (const name of ['work', 'private']) server.#makeCalendar(name)
    return server
  }

  /** Starts Radicale after `stop`. */
  async resume(): Promise<void> {
    this.#child = run(this.#folder)
    await answers(this.#port)
  }

  /** Stops Radicale; the door then answers nobody. */
  async halt(): Promise<void> {
    const child = this.#child
    if (!child) return
    this.#child = undefined
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** Returns the address of a calendar, as clients find it. */
  calendar(name: string): string {
    return `${this.url}${user}/${name}/`
  }

  /** Stores an event under a name; an undefined file removes the event. */
  async put(calendar: string, name: string, file: string | undefined): Promise<void> {
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const response = await fetch(`${this.direct}${user}/${calendar}/${name}`, {
      method: file === undefined ? 'DELETE' : 'PUT',
      headers: { authorization, 'content-type': 'text/calendar; charset=utf-8' },
      ...(file !== undefined && { body: file }),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  }

  /** Returns the files of a calendar by their names. */
  events(calendar: string): Map<string, string> {
    const folder = this.#folderOf(calendar)
    const names = readdirSync(folder).filter((name) => !name.startsWith('.'))
    return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  }

  /** Removes a calendar with its events. */
  remove(calendar: string): void {
    rmSync(this.#folderOf(calendar), { recursive: true })
  }

  /** Stores a file in a calendar without asking Radicale, which would refuse it. */
  writeRaw(calendar: string, name: string, content: string): void {
    writeFileSync(join(this.#folderOf(calendar), name), content)
  }

  /** Removes all events, and whatever a test has changed. */
  clear(): void {
    for (const name of ['work', 'private']) {
      rmSync(this.#folderOf(name), { recursive: true, force: true })
      this.#makeCalendar(name)
    }
    this.requests.length = 0
    this.interfere = () => false
    this.passed = () => true
  }

  async close(): Promise<void> {
    await this.halt()
    this.#door.closeAllConnections()
    this.#door.close()
  }

  #folderOf(calendar: string): string {
    return join(this.#folder, 'collections', 'collection-root', user, calendar)
  }

  #makeCalendar(name: string): void {
    const folder = this.#folderOf(name)
    mkdirSync(folder, { recursive: true })
    const properties = { tag: 'VCALENDAR', 'D:displayname': name === 'work' ? 'Work' : 'Private' }
    writeFileSync(join(folder, '.Radicale.props'), JSON.stringify(properties))
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', headers } = request
    response.on('close', () => this.requests.push({ method, path, status: response.statusCode }))
    if (this.interfere(request, response)) return
    const behind = requestTo({ host: '127.0.0.1', port: this.#port, method, path, headers }, (answer) => {
      if (!this.passed({ method, path, status: answer.statusCode ?? 0 })) {
        response.socket?.destroy()
        return
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    behind.on('error', () => response.socket?.destroy())
    request.pipe(behind)
  }
}

function writeConfiguration(folder: string, port: number, more: readonly string[] = []): void {
  writeFileSync(
    join(folder, 'config'),
    [
      ...['[server]', `hosts = 127.0.0.1:${port}`, 'max_connections = 50', ...more],
      ...['[auth]', 'type = htpasswd', `htpasswd_filename = ${join(folder, 'users')}`, 'htpasswd_encryption = plain'],
      ...['delay = 0', '[storage]', `filesystem_folder = ${join(folder, 'collections')}`],
      ...['[logging]', 'level = error', ''],
    ].join('\n'),
  )
}

/** A Radicale whose certificate nobody has signed. */
export interface SelfSigned {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a server with a certificate that no authority has signed. */
export async function startSelfSigned(): Promise<SelfSigned> {
  const folder = freshFolder()
  const port = await freePort()
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  execFileSync(
    '/usr/bin/openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  )
  writeFileSync(join(folder, 'users'), `${user}:${password}\n`)
  writeConfiguration(folder, port, ['ssl = True', `certificate = ${certificate}`, `key = ${key}`])
  const child = run(folder)
  await answers(port)
  return {
    url: `https://127.0.0.1:${port}/`,
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Runs Radicale until it is killed, at the latest when this process ends. */
function run(folder: string): ReturnType<typeof spawn> {
  const child = spawn(program, ['--config', join(folder, 'config')], { stdio: 'ignore' })
  // A test that fails before its end does not wait for the server.
  child.unref()
  process.once('exit', () => child.kill('SIGKILL'))
  return child
}

/** Waits until something listens on a port. */
async function answers(port: number): Promise<void> {
  const until = Date.now() + 20_000
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    if (Date.now() > until) throw new Error('Radicale does not answer.')
    await setTimeout(50)
  }
}
