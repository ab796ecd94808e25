import type { Figures } from './proof.ts'
import type { Proof } from './proofs.ts'
import type { Outcome } from './report.ts'

/** One part of a proof: its share of the scale, with a seed of its own. */
export interface Part {
  readonly row: string
  /** From 1. */
  readonly part: number
  readonly scale: number
  readonly seed: number
}

/** A part that was run to its end. */
export interface Result extends Part {
  readonly seconds: number
  readonly failed: number
  readonly passed: number
  readonly notes: readonly string[]
  readonly skipped: readonly string[]
  readonly failures: readonly string[]
}

/** What all parts of a proof came to. */
export interface Tally {
  readonly proof: Proof
  readonly verdict: 'held' | 'broken' | 'left out' | 'cut off' | 'not run'
  readonly results: readonly Result[]
  /** By what was reported, e.g. `B1 sqlite`. */
  readonly figures: ReadonlyMap<string, Figures>
  readonly seconds: number
  readonly skipped: readonly string[]
}

/** The parts of a proof, for a run that begins with this seed. */
export function partsOf(proof: Proof, firstSeed: number): Part[] {
  return Array.from({ length: proof.parts }, (_, index) => ({
    row: proof.row,
    part: index + 1,
    scale: proof.scale / proof.parts,
    seed: firstSeed + index,
  }))
}

/** The result of a part whose files came to these outcomes. */
export function resultOf(part: Part, outcomes: readonly Outcome[]): Result {
  const sum = (count: (outcome: Outcome) => number): number => outcomes.reduce((all, one) => all + count(one), 0)
  return {
    ...part,
    seconds: sum((one) => one.seconds),
    failed: sum((one) => one.failed),
    passed: sum((one) => one.passed),
    notes: outcomes.flatMap((one) => one.notes),
    skipped: outcomes.flatMap((one) => one.skipped),
    failures: outcomes.flatMap((one) => one.failures),
  }
}

/** Adds up what the parts of a proof came to; the results may be those of other proofs too. */
export function tally(proof: Proof, all: readonly Result[]): Tally {
  const results = all.filter(({ row }) => row === proof.row).sort((one, other) => one.part - other.part)
  const figures = new Map<string, Figures>()
  for (const note of results.flatMap(({ notes }) => notes)) {
    const said = reported(note)
    if (said?.label.split(' ')[0] !== proof.row) continue
    figures.set(said.label, addedUp(figures.get(said.label) ?? {}, said.figures))
  }
  return {
    proof,
    verdict: verdictOf(proof, results, figures.size),
    results,
    figures,
    seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
    skipped: [...new Set(results.flatMap(({ skipped }) => skipped))],
  }
}

function verdictOf(proof: Proof, results: readonly Result[], reports: number): Tally['verdict'] {
  if (results.length === 0) return 'not run'
  if (results.some(({ failed }) => failed > 0)) return 'broken'
  if (results.length < proof.parts) return 'cut off'
  if (reports > 0) return 'held'
  // Whoever ran and proved nothing has not kept the promise; what was skipped has said why.
  return results.every(({ skipped }) => skipped.length > 0) ? 'left out' : 'broken'
}

/** Reads what `proved` said; undefined for any other note. */
export function reported(note: string): { label: string; figures: Figures } | undefined {
  const [, label = '', list = ''] = /^([A-Z]\w* ?[^:]*): (.*); seed \d+$/.exec(note) ?? []
  const pairs = list.split(', ').map((pair) => /^(.*) (-?[\d.]+(?:e[+-]\d+)?)$/.exec(pair))
  if (label === '' || pairs.includes(null)) return undefined
  return { label, figures: Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', Number(pair?.[2])])) }
}

/** Both together: numbers add up, of a name that starts with `worst` the larger stays. */
export function addedUp(one: Figures, other: Figures): Figures {
  const sum: Record<string, number> = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const before = sum[name]
    if (before === undefined) sum[name] = value
    else sum[name] = name.startsWith('worst') ? Math.max(before, value) : before + value
  }
  return sum
}

/** Seconds that these parts may take, by how long parts of their rows took before; and how many nobody can tell of. */
export function estimate(
  parts: readonly Part[],
  results: readonly Result[],
): { readonly seconds: number; readonly unknown: number } {
  let seconds = 0
  let unknown = 0
  for (const { row } of parts) {
    const known = results.filter((result) => result.row === row)
    if (known.length === 0) unknown += 1
    else seconds += known.reduce((sum, result) => sum + result.seconds, 0) / known.length
  }
  return { seconds, unknown }
}

/** A stretch of time as people say it. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(0)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
