import type { Figures } from './proof.ts'
import type { ProofDefinition } from './proofs.ts'
import type { FileResult } from './report.ts'

/**
 * One of the runs into which a proof is divided. `row` is the id of the proof, `scale` is the factor for repetitions of
 * the whole proof divided by the number of parts, and each part has its own seed.
 */
export interface ProofPart {
  readonly row: string
  /** The number of the part, from 1. */
  readonly part: number
  readonly scale: number
  readonly seed: number
}

/** The result of a part of a proof that has run to its end; `failed` and `passed` count tests. */
export interface ProofResult extends ProofPart {
  readonly seconds: number
  readonly failed: number
  readonly passed: number
  readonly notes: readonly string[]
  readonly skipped: readonly string[]
  readonly failures: readonly string[]
}

/**
 * The summed results of all parts of a proof that have run; `verdict` says whether they confirm the promise of `proof`.
 */
export interface ProofTotals {
  readonly proof: ProofDefinition
  readonly verdict: 'held' | 'broken' | 'left out' | 'cut off' | 'not run'
  readonly results: readonly ProofResult[]
  /** The figures of all parts by reported label, such as `B1 sqlite`, combined by `addFigures`. */
  readonly figures: ReadonlyMap<string, Figures>
  readonly seconds: number
  readonly skipped: readonly string[]
}

/** Returns the parts of a proof; the first part has the seed `firstSeed`, each further part the next number. */
export function partsOf(proof: ProofDefinition, firstSeed: number): ProofPart[] {
  return Array.from({ length: proof.parts }, (_, index) => ({
    row: proof.row,
    part: index + 1,
    scale: proof.scale / proof.parts,
    seed: firstSeed + index,
  }))
}

/** Returns the result of a part whose test files had these outcomes, added up. */
export function resultOf(part: ProofPart, outcomes: readonly FileResult[]): ProofResult {
  const sum = (count: (outcome: FileResult) => number): number => outcomes.reduce((all, one) => all + count(one), 0)
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
export function proofTotals(proof: ProofDefinition, all: readonly ProofResult[]): ProofTotals {
  const results = all.filter(({ row }) => row === proof.row).sort((one, other) => one.part - other.part)
  const figures = new Map<string, Figures>()
  for (const note of results.flatMap(({ notes }) => notes)) {
    const said = parseReport(note)
    if (said?.label.split(' ')[0] !== proof.row) continue
    figures.set(said.label, addFigures(figures.get(said.label) ?? {}, said.figures))
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

function verdictOf(proof: ProofDefinition, results: readonly ProofResult[], reports: number): ProofTotals['verdict'] {
  if (results.length === 0) return 'not run'
  if (results.some(({ failed }) => failed > 0)) return 'broken'
  if (results.length < proof.parts) return 'cut off'
  if (reports > 0) return 'held'
  // No test failed, but no part of the proof reported figures (counts of what was checked, see `proved`), so nothing
  // was proved. The promise of the documentation that the proof tests then counts as broken, unless every part has a
  // skipped test.
  return results.every(({ skipped }) => skipped.length > 0) ? 'left out' : 'broken'
}

/** Parses a note that `proved` wrote, such as `B1 sqlite: bookings 400; seed 7`; undefined for any other note. */
export function parseReport(note: string): { label: string; figures: Figures } | undefined {
  const [, label = '', list = ''] = /^([A-Z]\w* ?[^:]*): (.*); seed \d+$/.exec(note) ?? []
  const pairs = list.split(', ').map((pair) => /^(.*) (-?[\d.]+(?:e[+-]\d+)?)$/.exec(pair))
  if (label === '' || pairs.includes(null)) return undefined
  return { label, figures: Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', Number(pair?.[2])])) }
}

/** Combines two sets of figures: sums numbers of the same name, or takes the larger if the name starts with `worst`. */
export function addFigures(one: Figures, other: Figures): Figures {
  const sum: Record<string, number> = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const before = sum[name]
    if (before === undefined) sum[name] = value
    else sum[name] = name.startsWith('worst') ? Math.max(before, value) : before + value
  }
  return sum
}

/**
 * Returns the seconds that parts are expected to take, from results of parts of the same proofs, and the number of
 * parts without such results.
 */
export function estimate(
  parts: readonly ProofPart[],
  results: readonly ProofResult[],
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

/** Formats a duration in seconds as seconds, minutes, or hours and minutes. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(0)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
