import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Result } from './proof-parts.ts'

/** The progress of a run of proofs. */
export interface State {
  /** The digest of the proved files: results of other files are not valid for these. */
  readonly tree: string
  readonly startedAt: string
  readonly firstSeed: number
  readonly results: readonly Result[]
  /** Results of other files, used to estimate durations. */
  readonly earlier: readonly Result[]
}

const path = '.proof/state.json'

/** The options of `loadState`. */
export interface Begin {
  readonly tree: string
  readonly now: Date
  readonly firstSeed: number
  /** Rows that start again, with the new seed. */
  readonly again: readonly string[]
}

/** Loads the state stored for these files, or creates one. */
export function loadState({ tree, now, firstSeed, again }: Begin): State {
  const left = readState()
  const kept = left?.results.filter(({ row }) => !again.includes(row)) ?? []
  if (left?.tree === tree && again.length === 0) return left
  if (left?.tree === tree && kept.length > 0) return { ...left, firstSeed, results: kept }
  const earlier = [...(left?.results ?? []), ...(left?.earlier ?? [])]
  const latest = [...new Map(earlier.toReversed().map((result) => [result.row, result])).values()]
  return { tree, startedAt: now.toISOString(), firstSeed, results: [], earlier: latest }
}

/** Stores the state atomically. */
export function saveState(state: State): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(state))
  renameSync(`${path}.new`, path)
}

/** A digest of every file that affects what is proved. */
export function treeDigest(): string {
  const digest = createHash('sha256')
  const files = globSync(['{bin,src,test,web}/**/*', 'package.json', 'package-lock.json'])
  for (const file of files.map((name) => name.replaceAll('\\', '/')).sort()) {
    if (!statSync(file).isFile()) continue
    digest.update(`${file}\0`).update(readFileSync(file)).update('\0')
  }
  return digest.digest('hex')
}

function readState(): State | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // None was stored, or the first write was interrupted.
    return undefined
  }
}
