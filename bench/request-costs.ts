import type { LoadClients, LoadResult, NextRequest } from './load.ts'
import { quick } from './quick.ts'
import type { RunningServer } from './server.ts'

/** The cost of one request to its server over several rounds, in microseconds of CPU time. */
export interface RequestCost {
  readonly name: string
  /** The minimum of all rounds, since other load on the machine can only increase the cost. */
  readonly min: number
  readonly median: number
  readonly max: number
  /**
   * The microseconds that the server's busiest thread spends on a request, in the best round. This thread limits the
   * rate while processors are free.
   */
  readonly busiest: number
  /** Responses per second in the best round. */
  readonly rate: number
  readonly answers: ReadonlyMap<number, number>
}

/** One kind of request, with the server and the connections to which it is sent. */
export interface RequestKind {
  readonly name: string
  readonly server: RunningServer
  readonly clients: LoadClients
  readonly next: NextRequest
}

// The minimum warm-up, during which the code is compiled: on a busy machine, compiling takes many seconds.
const warm = { milliseconds: 1000, minRequests: quick ? 20 : 3000 }
/** The minimum duration of a round in milliseconds, and its minimum number of requests. */
export const roundLimits = { milliseconds: quick ? 50 : 1000, minRequests: quick ? 20 : 400 }
/** The default number of rounds. */
export const defaultRounds = quick ? 2 : 5

/**
 * Measures all kinds of requests alternately, in rounds limited by `roundLimits`, so that a slow minute of the machine
 * affects all alike. Calls `between` after each round of all kinds.
 */
export async function measureCosts<Name extends string>(
  kinds: readonly (RequestKind & { readonly name: Name })[],
  between: () => void = () => {},
  count = defaultRounds,
): Promise<Record<Name, RequestCost>> {
  for (const kind of kinds) await kind.clients.sendRequests(kind.next, warm)
  const taken = new Map(kinds.map(({ name }) => [name, [] as Taken[]]))
  for (let time = 0; time < count; time += 1) {
    for (const kind of kinds) taken.get(kind.name)?.push(await round(kind))
    between()
  }
  return Object.fromEntries([...taken].map(([name, each]) => [name, costOf(name, each)])) as Record<Name, RequestCost>
}

interface Taken {
  readonly load: LoadResult
  readonly total: number
  readonly busiest: number
}

async function round({ server, clients, next }: RequestKind): Promise<Taken> {
  const before = await server.cpu()
  const load = await clients.sendRequests(next, roundLimits)
  const after = await server.cpu()
  const threads = [...after].map(([thread, time]) => time - (before.get(thread) ?? 0))
  const each = (time: number): number => (time * 1000) / load.total
  return { load, total: each(threads.reduce((sum, time) => sum + time, 0)), busiest: each(Math.max(...threads)) }
}

function costOf(name: string, taken: readonly Taken[]): RequestCost {
  const totals = taken.map(({ total }) => total).sort((one, other) => one - other)
  const answers = new Map<number, number>()
  for (const { load } of taken)
    for (const [status, count] of load.answers) answers.set(status, (answers.get(status) ?? 0) + count)
  return {
    name,
    min: totals[0] ?? 0,
    median: totals[Math.floor(totals.length / 2)] ?? 0,
    max: totals.at(-1) ?? 0,
    busiest: Math.min(...taken.map(({ busiest }) => busiest)),
    rate: Math.max(...taken.map(({ load }) => load.total / load.seconds)),
    answers,
  }
}

/** Formats a cost as a line for the terminal. */
export function costLine({ name, min, median, max, busiest, rate, answers }: RequestCost): string {
  const counted = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ')
  const numbers = `${min.toFixed(1)} µs (median ${median.toFixed(1)}, max ${max.toFixed(1)}; busiest thread ${busiest.toFixed(1)})`
  return `${name.padEnd(34)} ${numbers}, ${rate.toFixed(0)} a second: ${counted}`
}
