import type { Clients, Load, Next } from './load.ts'
import { quick } from './quick.ts'
import type { Running } from './server.ts'

/** The cost of one request to its server over several rounds, in microseconds of CPU time. */
export interface Cost {
  readonly name: string
  /** The minimum of all rounds, since other load on the machine can only add. */
  readonly min: number
  readonly median: number
  readonly max: number
  /** The busiest thread of the server, which bounds the rate while processors are free. */
  readonly busiest: number
  /** Responses per second in the best round. */
  readonly rate: number
  readonly answers: ReadonlyMap<number, number>
}

/** One kind of request with its target and its client. */
export interface Kind {
  readonly name: string
  readonly server: Running
  readonly clients: Clients
  readonly next: Next
}

// The first requests are compiled while they run, on a busy machine for many seconds.
const warm = { milliseconds: 1000, minRequests: quick ? 20 : 3000 }
/** The duration of a round. */
export const lasting = { milliseconds: quick ? 50 : 1000, minRequests: quick ? 20 : 400 }
/** The default number of rounds. */
export const times = quick ? 2 : 5

/** Measures all kinds alternately for a second each, so that a slow minute of the machine affects all alike. */
export async function rounds<Name extends string>(
  kinds: readonly (Kind & { readonly name: Name })[],
  between: () => void = () => {},
  count = times,
): Promise<Record<Name, Cost>> {
  for (const kind of kinds) await kind.clients.ask(kind.next, warm)
  const taken = new Map(kinds.map(({ name }) => [name, [] as Taken[]]))
  for (let time = 0; time < count; time += 1) {
    for (const kind of kinds) taken.get(kind.name)?.push(await round(kind))
    between()
  }
  return Object.fromEntries([...taken].map(([name, each]) => [name, costOf(name, each)])) as Record<Name, Cost>
}

interface Taken {
  readonly load: Load
  readonly total: number
  readonly busiest: number
}

async function round({ server, clients, next }: Kind): Promise<Taken> {
  const before = await server.cpu()
  const load = await clients.ask(next, lasting)
  const after = await server.cpu()
  const threads = [...after].map(([thread, time]) => time - (before.get(thread) ?? 0))
  const each = (time: number): number => (time * 1000) / load.total
  return { load, total: each(threads.reduce((sum, time) => sum + time, 0)), busiest: each(Math.max(...threads)) }
}

function costOf(name: string, taken: readonly Taken[]): Cost {
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

/** Formats the cost for readers. */
export function costLine({ name, min, median, max, busiest, rate, answers }: Cost): string {
  const counted = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ')
  const numbers = `${min.toFixed(1)} µs (median ${median.toFixed(1)}, max ${max.toFixed(1)}; busiest thread ${busiest.toFixed(1)})`
  return `${name.padEnd(34)} ${numbers}, ${rate.toFixed(0)} a second: ${counted}`
}
