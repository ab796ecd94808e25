import { answerOf, runBare } from './bare.ts'
import type { ClinicSite } from './clinic-site.ts'
import { Clients, requestText } from './load.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import type { Running } from './server.ts'

/** One kind of request, in the rounds of a comparison. */
export interface Contestant {
  readonly name: string
  readonly server: Running
  /** The next request as it goes over the wire. */
  readonly next: () => string
  /** Done before each request, its cost to the server counted apart and taken off. */
  readonly connections?: number
}

/** Microseconds of processor time that a request costs its server, round by round. */
export interface Spent {
  readonly least: number
  readonly median: number
  readonly most: number
}

// By number of requests and not by time: on a machine that others use too, a second holds anything from nothing to
// thousands, and code that was called too seldom is not compiled yet: after 6,000 requests one still costs twice what it
// does after 20,000.
const warm = quick ? 40 : 30_000
const warmTurns = 20
// Many short rounds: one of them falls between two of what others do.
const roundsOf = quick ? { times: 2, requests: 20 } : { times: 150, requests: 40 }

/** Measures all contestants in turns; `scale` shortens or lengthens everything. */
export async function contest(contestants: readonly Contestant[], scale = 1): Promise<readonly Spent[]> {
  const opened = await Promise.all(
    contestants.map(async ({ server, next, connections = 8 }) => ({
      server,
      next,
      clients: await Clients.open(server, connections),
      taken: [] as number[],
    })),
  )
  // In turns too: a connection that is left alone for long is closed.
  for (let turn = 0; turn < warmTurns; turn += 1)
    for (const one of opened) await asks(one, Math.ceil((warm * scale) / warmTurns))
  for (let time = 0; time < roundsOf.times; time += 1)
    for (const one of opened) one.taken.push(await asks(one, Math.ceil(roundsOf.requests * scale)))
  for (const { clients } of opened) clients.close()
  return opened.map(({ taken }) => spentOver(taken))
}

/** The least, the middle one and the most of what rounds took. */
export function spentOver(taken: readonly number[]): Spent {
  const sorted = taken.toSorted((one, other) => one - other)
  return { least: sorted[0] ?? 0, median: sorted[Math.floor(sorted.length / 2)] ?? 0, most: sorted.at(-1) ?? 0 }
}

interface Opened {
  readonly server: Running
  readonly next: () => string
  readonly clients: Clients
}

async function asks({ server, next, clients }: Opened, count: number): Promise<number> {
  const before = await server.cpu()
  const { answers, total } = await clients.ask(next, { milliseconds: 0, least: count })
  const odd = [...answers.keys()].filter((status) => status !== 200 && status !== 304)
  if (odd.length > 0) throw new Error(`Answered ${odd.join(', ')}.`)
  let spent = 0
  for (const [thread, time] of await server.cpu()) spent += time - (before.get(thread) ?? 0)
  return (spent * 1000) / total
}

/** A share of bare to measure: what is asked, and what it should reach. */
export interface Share {
  readonly figure: string
  readonly name: string
  readonly site: ClinicSite
  readonly service: Running
  /** Whose answer bare gives. */
  readonly path: string
  /** The next request to the service; `path` again and again where absent. */
  readonly next?: () => string
  readonly bar: number
  readonly scale?: number
}

/** Measures what part of the service's cost bare has, prints it and reports it. */
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
  const value = yardstick.least / own.least
  console.log(`${figure}  ${name}`)
  console.log(spentLine('bare', yardstick))
  console.log(spentLine('service', own))
  console.log(`share of bare ${value.toFixed(2)} (bar: at least ${bar.toFixed(2)})`)
  const spread = [yardstick.median / own.most, yardstick.median / own.least] as const
  report({ figure, name, unit: 'share of bare', value, spread, bar: `>= ${bar.toFixed(2)}`, held: value >= bar })
  if (value < bar) process.exitCode = 1
}

/** A line for a person. */
export function spentLine(name: string, { least, median, most }: Spent): string {
  return `${name.padEnd(24)} ${least.toFixed(1).padStart(9)} µs (median ${median.toFixed(1)}, most ${most.toFixed(1)})`
}
