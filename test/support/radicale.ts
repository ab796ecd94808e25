import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as requestTo, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freshFolder } from './daybook.ts'
import { freePort } from './postgres.ts'
import { hangLimit } from './scale.ts'
import { createStandInServer } from './stand-in-server.ts'

const program = '/usr/bin/radicale'

/** Whether Radicale is installed. */
export function hasRadicale(): boolean {
  return existsSync(program)
}

/** The name with which clients sign in to the CalDAV server. */
export const user = 'ana'
/** The password with which clients sign in to the CalDAV server; one letter is outside ASCII. */
export const password = 'Zaunkönig 7'

/**
 * One request that reached the proxy in front of Radicale, with the HTTP status of its response; 200 if the proxy
 * closed the connection without a response.
 */
export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  readonly status: number
}

/** Answers a request in place of Radicale and returns true, or returns false to pass the request on. */
export type RequestInterceptor = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Radicale from Debian, a CalDAV server that sites use, on a port of this machine. Clients reach it through a proxy at
 * `url`, where a test can answer in its place.
 */
export class Radicale {
  /** The URL of the proxy, through which a test can answer or observe requests. */
  readonly url: string
  /** The URL of Radicale itself, without the proxy. */
  readonly direct: string
  readonly requests: ProxiedRequest[] = []
  /** Called for each request; may answer in place of Radicale. */
  intercept: RequestInterceptor = () => false
  /**
   * Called when Radicale has answered a request. If it returns false, the proxy closes the connection instead of
   * passing the response on.
   */
  onResponse: (request: ProxiedRequest) => boolean = () => true
  readonly #folder: string
  readonly #port: number
  readonly #proxy: Server
  #child: ReturnType<typeof spawn> | undefined

  private constructor(folder: string, port: number, proxy: Server) {
    this.#folder = folder
    this.#port = port
    this.#proxy = proxy
    this.url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`
    this.direct = `http://127.0.0.1:${port}/`
  }

  /** Starts Radicale and the proxy, with one user and two empty calendars, `work` and `private`. */
  static async start(): Promise<Radicale> {
    const folder = freshFolder()
    const port = await freePort()
    const proxy = createStandInServer((request, response) => server.#answer(request, response))
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const server: Radicale = new Radicale(folder, port, proxy)
    writeFileSync(join(folder, 'users'), `${user}:${password}\n`)
    writeConfiguration(folder, port)
    await server.start()
    for (const name of ['work', 'private']) server.#makeCalendar(name)
    return server
  }

  /** Starts Radicale, for the first time or again after `stop`. */
  async start(): Promise<void> {
    this.#child = run(this.#folder)
    await answers(this.#port)
  }

  /** Kills Radicale; the proxy then closes every connection without a response. */
  async stop(): Promise<void> {
    const child = this.#child
    if (!child) return
    this.#child = undefined
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** Returns the URL of a calendar, at the proxy. */
  calendar(name: string): string {
    return `${this.url}${user}/${name}/`
  }

  /** Stores an iCalendar file under a name in a calendar, or deletes it when `file` is undefined. */
  async put(calendar: string, name: string, file: string | undefined): Promise<void> {
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const response = await fetch(`${this.direct}${user}/${calendar}/${name}`, {
      method: file === undefined ? 'DELETE' : 'PUT',
      headers: { authorization, 'content-type': 'text/calendar; charset=utf-8' },
      ...(file !== undefined && { body: file }),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  }

  /** Returns the iCalendar files of a calendar by their names. */
  events(calendar: string): Map<string, string> {
    const folder = this.#folderOf(calendar)
    const names = readdirSync(folder).filter((name) => !name.startsWith('.'))
    return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  }

  /** Removes a calendar with its events. */
  remove(calendar: string): void {
    rmSync(this.#folderOf(calendar), { recursive: true })
  }

  /** Writes a file into a calendar's folder, for content that Radicale would refuse. */
  writeRaw(calendar: string, name: string, content: string): void {
    writeFileSync(join(this.#folderOf(calendar), name), content)
  }

  /** Empties both calendars, forgets the recorded requests, and resets `intercept` and `onResponse`. */
  clear(): void {
    for (const name of ['work', 'private']) {
      rmSync(this.#folderOf(name), { recursive: true, force: true })
      this.#makeCalendar(name)
    }
    this.requests.length = 0
    this.intercept = () => false
    this.onResponse = () => true
  }

  async close(): Promise<void> {
    await this.stop()
    this.#proxy.closeAllConnections()
    this.#proxy.close()
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
    if (this.intercept(request, response)) return
    const upstream = requestTo({ host: '127.0.0.1', port: this.#port, method, path, headers }, (answer) => {
      if (!this.onResponse({ method, path, status: answer.statusCode ?? 0 })) {
        response.socket?.destroy()
        return
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    upstream.on('error', () => response.socket?.destroy())
    request.pipe(upstream)
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

/** A running Radicale whose TLS certificate is self-signed. */
export interface SelfSignedServer {
  readonly url: string
  stop(): Promise<void>
}

/** Starts Radicale over TLS with a self-signed certificate. */
export async function startSelfSigned(): Promise<SelfSignedServer> {
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

/** Starts Radicale. If it still runs when the test process exits without being killed, it is killed. */
function run(folder: string): ReturnType<typeof spawn> {
  const child = spawn(program, ['--config', join(folder, 'config')], { stdio: 'ignore' })
  // The running server does not keep the test process alive when a test has failed before stopping it.
  child.unref()
  process.once('exit', () => child.kill('SIGKILL'))
  return child
}

/** Resolves when a program accepts connections on a port of this machine; rejects after `hangLimit`. */
async function answers(port: number): Promise<void> {
  const until = Date.now() + hangLimit
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
