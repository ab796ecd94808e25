import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ProofResult } from './proof-parts.ts'

/** The progress of a run of `npm run prove`, stored so that an interrupted run resumes. */
export interface ProofState {
  /** The digest of the proved files; results that were measured on files with another digest do not count. */
  readonly tree: string
  readonly startedAt: string
  readonly firstSeed: number
  readonly results: readonly ProofResult[]
  /**
   * For each proof, one result from the latest earlier run that has a result of the proof; used to estimate durations.
   */
  readonly earlier: readonly ProofResult[]
}

const path = '.proof/state.json'

/**
 * The options of `loadState`: the digest of the files, the current time, the seed of a new run and the proofs to
 * repeat.
 */
export interface ProofStateOptions {
  readonly tree: string
  readonly now: Date
  readonly firstSeed: number
  /** The ids of proofs that run again from their first part, with the new seed. */
  readonly again: readonly string[]
}

/**
 * Loads the state stored for files with the digest `tree`, without the results of proofs to repeat. Returns a new state
 * if none is stored for these files, or if no result remains.
 */
export function loadState({ tree, now, firstSeed, again }: ProofStateOptions): ProofState {
  const left = readState()
  const kept = left?.results.filter(({ row }) => !again.includes(row)) ?? []
  if (left?.tree === tree && again.length === 0) return left
  if (left?.tree === tree && kept.length > 0) return { ...left, firstSeed, results: kept }
  const earlier = [...(left?.results ?? []), ...(left?.earlier ?? [])]
  const latest = [...new Map(earlier.toReversed().map((result) => [result.row, result])).values()]
  return { tree, startedAt: now.toISOString(), firstSeed, results: [], earlier: latest }
}

/** Stores the progress of a run of proofs; the file is replaced atomically. */
export function saveState(state: ProofState): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(state))
  renameSync(`${path}.new`, path)
}

/**
 * Returns the SHA-256 digest, in hexadecimal, of the paths and contents of all files in bin, src, test, web and
 * examples, of the files of npm (package.json, package-lock.json and .npmrc), of the Dockerfile and of .dockerignore.
 */
export function treeDigest(): string {
  const digest = createHash('sha256')
  const programs = ['Dockerfile', '.dockerignore', '.npmrc', 'package.json', 'package-lock.json']
  const files = globSync(['{bin,src,test,web,examples}/**/*', ...programs])
  for (const file of files.map((name) => name.replaceAll('\\', '/')).sort()) {
    if (!statSync(file).isFile()) continue
    digest.update(`${file}\0`).update(readFileSync(file)).update('\0')
  }
  return digest.digest('hex')
}

function readState(): ProofState | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // The file is missing or not valid JSON.
    return undefined
  }
}
