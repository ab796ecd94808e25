// A process that sends one request repeatedly and prints the results as JSON. It sends `perSecond` requests without
// waiting for earlier responses while a connection is free; without `perSecond`, each connection sends its next request
// as soon as a response arrives.
import { once } from 'node:events'
import { connect } from 'node:net'
import type { LoadMeasurements, LoadOptions } from './load.ts'

const { url, path, token, seconds, connections, perSecond }: LoadOptions = JSON.parse(process.argv[2] ?? '')
const { hostname, port, host } = new URL(url)
const request = (of: string): string => `GET ${of} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`
const question = request(path)

interface Connection {
  ask(): void
}

const idle: Connection[] = []
const served: number[] = []
const shed: number[] = []
const other = new Map<string, number>()
let unsent = 0
let open = 0
let ending = false

async function opened(): Promise<void> {
  const socket = connect(Number(port), hostname)
  socket.setNoDelay(true).setEncoding('latin1')
  await once(socket, 'connect')
  let since = 0
  let head = ''
  let left = -1
  const own: Connection = {
    ask() {
      open++
      since = performance.now()
      socket.write(question)
    },
  }
  const count = (): void => {
    const status = head.slice(9, 12)
    const took = performance.now() - since
    if (status === '200') served.push(took)
    else if (status === '503' && /\nretry-after: 1\r/i.test(head)) shed.push(took)
    else other.set(status, (other.get(status) ?? 0) + 1)
    open--
    if (perSecond === undefined && !ending) own.ask()
    else idle.push(own)
  }
  // Each connection first sends a request that is not measured, because the service closes a connection that sends no
  // request within its `headersTimeout`.
  const known = Promise.withResolvers<void>()
  let answered = known.resolve
  socket.on('data', (part: string) => {
    if (left >= 0) left -= part.length
    else {
      head += part
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      left = Number(/content-length: (\d+)/i.exec(head)?.[1]) - (head.length - end - 4)
    }
    if (left > 0) return
    left = -1
    answered()
    head = ''
  })
  socket.on('error', () => other.set('lost', (other.get('lost') ?? 0) + 1))
  socket.write(request('/health/live'))
  await known.promise
  answered = count
  idle.push(own)
}

await Promise.all(Array.from({ length: connections }, opened))
const began = performance.now()
const elapsed = (): number => (performance.now() - began) / 1000
if (perSecond === undefined) for (const one of idle.splice(0)) one.ask()
for (let sent = 0; elapsed() < seconds; await new Promise((turn) => setTimeout(turn, 1))) {
  for (; perSecond !== undefined && sent < elapsed() * perSecond; sent++) {
    const free = idle.pop()
    if (free) free.ask()
    else unsent++
  }
}
const took = elapsed()
const goodput = served.length / took
ending = true
while (open > 0 && elapsed() < took + 10) await new Promise((turn) => setTimeout(turn, 5))
const measured: LoadMeasurements = { goodput, served, shed, unsent, unanswered: open, other: Object.fromEntries(other) }
process.stdout.write(JSON.stringify(measured), () => process.exit())
