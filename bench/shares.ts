import { answerOf, runBare } from './bare.ts'
import type { ClinicSite } from './clinic-site.ts'
import { LoadClients, requestText } from './load.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import type { RunningServer } from './server.ts'

/** One kind of request whose CPU time is compared with that of others. */
export interface ComparedRequest {
  readonly name: string
  readonly server: RunningServer
  /** Returns the next request as text. */
  readonly next: () => string
  /** The number of connections on which requests are sent; 8 when absent. */
  readonly connections?: number
}

/** The CPU microseconds of a request: minimum, median and maximum of all rounds. */
export interface CpuTimes {
  readonly min: number
  readonly median: number
  readonly max: number
}

// The warm-up counts requests, not seconds: on a shared machine, a second may contain anything from none to thousands.
// Code that is called too rarely is not compiled; a request costs twice as much after 6,000 requests as after 20,000.
const warm = quick ? 40 : 30_000
const warmTurns = 20
// The number of rounds and of requests per round: many short rounds, so that some are undisturbed by other load.
const roundsOf = quick ? { times: 2, requests: 20 } : { times: 150, requests: 40 }

/** Measures all kinds of requests in alternating rounds; `scale` multiplies the number of requests. */
export async function compareCpuTimes(requests: readonly ComparedRequest[], scale = 1): Promise<readonly CpuTimes[]> {
  const opened = await Promise.all(
    requests.map(async ({ server, next, connections = 8 }) => ({
      server,
      next,
      clients: await LoadClients.open(server, connections),
      taken: [] as number[],
    })),
  )
  // The warm-up alternates, too, since a server closes idle connections.
  for (let turn = 0; turn < warmTurns; turn += 1)
    for (const one of opened) await measureRound(one, Math.ceil((warm * scale) / warmTurns))
  for (let time = 0; time < roundsOf.times; time += 1)
    for (const one of opened) one.taken.push(await measureRound(one, Math.ceil(roundsOf.requests * scale)))
  for (const { clients } of opened) clients.close()
  return opened.map(({ taken }) => cpuTimesOf(taken))
}

/** Returns the minimum, median and maximum of the microseconds of all rounds. */
export function cpuTimesOf(taken: readonly number[]): CpuTimes {
  const sorted = taken.toSorted((one, other) => one - other)
  return { min: sorted[0] ?? 0, median: sorted[Math.floor(sorted.length / 2)] ?? 0, max: sorted.at(-1) ?? 0 }
}

interface Opened {
  readonly server: RunningServer
  readonly next: () => string
  readonly clients: LoadClients
}

async function measureRound({ server, next, clients }: Opened, count: number): Promise<number> {
  const before = await server.cpu()
  const { answers, total } = await clients.sendRequests(next, { milliseconds: 0, minRequests: count })
  const odd = [...answers.keys()].filter((status) => status !== 200 && status !== 304)
  if (odd.length > 0) throw new Error(`Answered ${odd.join(', ')}.`)
  let spent = 0
  for (const [thread, time] of await server.cpu()) spent += time - (before.get(thread) ?? 0)
  return (spent * 1000) / total
}

/**
 * The parameters of a comparison of the service with the bare server (plain `node:http`). `bar` is the target: the
 * minimum share of the service's CPU time that the bare server takes for the same response.
 */
export interface ShareComparison {
  readonly figure: string
  readonly name: string
  readonly site: ClinicSite
  readonly service: RunningServer
  /** The path whose response the bare server sends. */
  readonly path: string
  /** Returns the next request to the service; when absent, every request is for `path`. */
  readonly next?: () => string
  readonly bar: number
  readonly scale?: number
}

/**
 * Measures the CPU time of the bare server and of the service for the same response. Prints both, and reports the
 * former as a share of the latter; a share below the target sets the exit code to 1.
 */
export async function measureShare(share: ShareComparison): Promise<void> {
  const { figure, site, service, path, bar } = share
  const answer = await answerOf(service, path, site.token)
  const bare = await runBare(site.token, [answer])
  const again = () => requestText('GET', path, site.token)
  const [baseline, own] = await compareCpuTimes(
    [
      { name: 'bare', server: bare, next: again },
      { name: 'service', server: service, next: share.next ?? again },
    ],
    share.scale,
  )
  await bare.stop()
  if (!baseline || !own) return
  const name = `${share.name}, ${Math.round(Buffer.byteLength(answer.body) / 1000)} KB`
  const value = baseline.min / own.min
  console.log(`${figure}  ${name}`)
  console.log(cpuTimesLine('bare', baseline))
  console.log(cpuTimesLine('service', own))
  console.log(`share of bare ${value.toFixed(2)} (bar: at least ${bar.toFixed(2)})`)
  const spread = [baseline.median / own.max, baseline.median / own.min] as const
  report({ figure, name, unit: 'share of bare', value, spread, bar: `>= ${bar.toFixed(2)}`, held: value >= bar })
  if (value < bar) process.exitCode = 1
}

/** Formats a measurement as a line for the terminal. */
export function cpuTimesLine(name: string, { min, median, max }: CpuTimes): string {
  return `${name.padEnd(24)} ${min.toFixed(1).padStart(9)} µs (median ${median.toFixed(1)}, max ${max.toFixed(1)})`
}
