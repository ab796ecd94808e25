import { answerOf, runBare } from './bare.ts'
import type { ClinicSite } from './clinic-site.ts'
import { Clients, requestText } from './load.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import type { Running } from './server.ts'

/** One kind of request in a comparison. */
export interface Contestant {
  readonly name: string
  readonly server: Running
  /** Returns the next request as text. */
  readonly next: () => string
  /** The number of connections. */
  readonly connections?: number
}

/** The CPU microseconds of a request, by round. */
export interface Spent {
  readonly min: number
  readonly median: number
  readonly max: number
}

// The warm-up counts requests, not seconds: on a shared machine, a second may contain anything from none to thousands.
// Code that is called too rarely is not compiled; a request costs twice as much after 6,000 requests as after 20,000.
const warm = quick ? 40 : 30_000
const warmTurns = 20
// Many short rounds, so that some are undisturbed by other load.
const roundsOf = quick ? { times: 2, requests: 20 } : { times: 150, requests: 40 }

/** Measures all contestants alternately; `scale` changes the duration. */
export async function contest(contestants: readonly Contestant[], scale = 1): Promise<readonly Spent[]> {
  const opened = await Promise.all(
    contestants.map(async ({ server, next, connections = 8 }) => ({
      server,
      next,
      clients: await Clients.open(server, connections),
      taken: [] as number[],
    })),
  )
  // The warm-up alternates too, since an idle connection is closed.
  for (let turn = 0; turn < warmTurns; turn += 1)
    for (const one of opened) await asks(one, Math.ceil((warm * scale) / warmTurns))
  for (let time = 0; time < roundsOf.times; time += 1)
    for (const one of opened) one.taken.push(await asks(one, Math.ceil(roundsOf.requests * scale)))
  for (const { clients } of opened) clients.close()
  return opened.map(({ taken }) => spentOver(taken))
}

/** Returns minimum, median and maximum of the rounds. */
export function spentOver(taken: readonly number[]): Spent {
  const sorted = taken.toSorted((one, other) => one - other)
  return { min: sorted[0] ?? 0, median: sorted[Math.floor(sorted.length / 2)] ?? 0, max: sorted.at(-1) ?? 0 }
}

interface Opened {
  readonly server: Running
  readonly next: () => string
  readonly clients: Clients
}

async function asks({ server, next, clients }: Opened, count: number): Promise<number> {
  const before = await server.cpu()
  const { answers, total } = await clients.ask(next, { milliseconds: 0, minRequests: count })
  const odd = [...answers.keys()].filter((status) => status !== 200 && status !== 304)
  if (odd.length > 0) throw new Error(`Answered ${odd.join(', ')}.`)
  let spent = 0
  for (const [thread, time] of await server.cpu()) spent += time - (before.get(thread) ?? 0)
  return (spent * 1000) / total
}

/** A comparison with bare: the request and its target share. */
export interface Share {
  readonly figure: string
  readonly name: string
  readonly site: ClinicSite
  readonly service: Running
  /** The path whose response the bare server sends. */
  readonly path: string
  /** The next request to the service; always `path` when absent. */
  readonly next?: () => string
  readonly bar: number
  readonly scale?: number
}

/**
 * Measures which share of the service's CPU time the bare server needs for the same response; prints and reports it.
 */
export async function measureShare(share: Share): Promise<void> {
  const { figure, site, service, path, bar } = share
  const answer = await answerOf(service, path, site.token)
  const bare = await runBare(site.token, [answer])
  const again = () => requestText('GET', path, site.token)
  const [yardstick, own] = await contest(
    [
      { name: 'bare', server: bare, next: again },
      { name: 'service', server: service, next: share.next ?? again },
    ],
    share.scale,
  )
  await bare.stop()
  if (!yardstick || !own) return
  const name = `${share.name}, ${Math.round(Buffer.byteLength(answer.body) / 1000)} KB`
  const value = yardstick.min / own.min
  console.log(`${figure}  ${name}`)
  console.log(spentLine('bare', yardstick))
  console.log(spentLine('service', own))
  console.log(`share of bare ${value.toFixed(2)} (bar: at least ${bar.toFixed(2)})`)
  const spread = [yardstick.median / own.max, yardstick.median / own.min] as const
  report({ figure, name, unit: 'share of bare', value, spread, bar: `>= ${bar.toFixed(2)}`, held: value >= bar })
  if (value < bar) process.exitCode = 1
}

/** Formats the measurement for readers. */
export function spentLine(name: string, { min, median, max }: Spent): string {
  return `${name.padEnd(24)} ${min.toFixed(1).padStart(9)} µs (median ${median.toFixed(1)}, max ${max.toFixed(1)})`
}
