import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Result } from './proof-parts.ts'

/** The progress of a run of `npm run prove`, stored so that an interrupted run resumes. */
export interface State {
  /** The digest of the proved files: results of other files do not count. */
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
  /** The ids of proofs that start again, with the new seed. */
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

/** Stores the progress of a run of proofs; the file is replaced atomically. */
export function saveState(state: State): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(state))
  renameSync(`${path}.new`, path)
}

/** Returns a digest of every file that affects the results of proofs. */
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
    // No state was stored, or writing it was interrupted.
    return undefined
  }
}
