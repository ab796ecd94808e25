import type { Figures } from './proof.ts'
import type { Proof } from './proofs.ts'
import type { Outcome } from './report.ts'

/** One part of a proof: its share of the scale, with its own seed. */
export interface Part {
  readonly row: string
  /** The number of the part, from 1. */
  readonly part: number
  readonly scale: number
  readonly seed: number
}

/** A completed part. */
export interface Result extends Part {
  readonly seconds: number
  readonly failed: number
  readonly passed: number
  readonly notes: readonly string[]
  readonly skipped: readonly string[]
  readonly failures: readonly string[]
}

/** The sum of all parts of a proof. */
export interface Tally {
  readonly proof: Proof
  readonly verdict: 'held' | 'broken' | 'left out' | 'cut off' | 'not run'
  readonly results: readonly Result[]
  /** The summed figures by reported label, such as `B1 sqlite`. */
  readonly figures: ReadonlyMap<string, Figures>
  readonly seconds: number
  readonly skipped: readonly string[]
}

/** Returns the parts of a proof, for a run that begins with this seed. */
export function partsOf(proof: Proof, firstSeed: number): Part[] {
  return Array.from({ length: proof.parts }, (_, index) => ({
    row: proof.row,
    part: index + 1,
    scale: proof.scale / proof.parts,
    seed: firstSeed + index,
  }))
}

/** Returns the result of a part whose files had these outcomes. */
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

/** Adds up the parts of a proof; `all` may include results of other proofs. */
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
  // A part that ran and proved nothing has not kept the promise; a skipped one has a reason.
  return results.every(({ skipped }) => skipped.length > 0) ? 'left out' : 'broken'
}

/** Parses a report of `proved`; undefined for any other note. */
export function reported(note: string): { label: string; figures: Figures } | undefined {
  const [, label = '', list = ''] = /^([A-Z]\w* ?[^:]*): (.*); seed \d+$/.exec(note) ?? []
  const pairs = list.split(', ').map((pair) => /^(.*) (-?[\d.]+(?:e[+-]\d+)?)$/.exec(pair))
  if (label === '' || pairs.includes(null)) return undefined
  return { label, figures: Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', Number(pair?.[2])])) }
}

/** Combines figures: numbers are summed, of a name that starts with `worst` the maximum is kept. */
export function addedUp(one: Figures, other: Figures): Figures {
  const sum: Record<string, number> = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const before = sum[name]
    if (before === undefined) sum[name] = value
    else sum[name] = name.startsWith('worst') ? Math.max(before, value) : before + value
  }
  return sum
}

/** Estimates the seconds of these parts from earlier parts of their rows; also returns how many have no estimate. */
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

/** Formats a duration for readers. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(0)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
