import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { freshFolder } from './daybook.ts'

/**
 * A simulated power supply: after `cut`, only some of the unsynced writes to a directory remain, as on a disk after a
 * power failure.
 */
export interface PowerSupply {
  /** The environment variables with which the service is started. */
  readonly env: Readonly<Record<string, string>>
  /**
   * Reverts a part of the unsynced changes in a directory; no process may have the files of the directory open. Returns
   * the number of unsynced changes of files, including the changes that survive; 0 where the command in
   * `DAYBOOK_TEST_POWER_CUT` cuts the power.
   */
  cut(dataDir: string): number
}

/**
 * Returns the power supply of a directory, or the reason why the machine has none. `random` decides which unsynced
 * writes survive.
 */
export function powerSupplyOf(dataDir: string, random: () => number): PowerSupply | { readonly skip: string } {
  const { DAYBOOK_TEST_POWER_ON: on, DAYBOOK_TEST_POWER_CUT: command } = process.env
  if (command !== undefined) {
    if (on !== undefined) run(on, dataDir)
    return { env: {}, cut: () => run(command, dataDir) }
  }
  const shim = builtShim()
  if (shim === undefined) {
    return { skip: 'there is neither DAYBOOK_TEST_POWER_CUT nor a C compiler on Linux to build the shim with' }
  }
  const journals = freshFolder()
  const env = { LD_PRELOAD: shim, POWER_CUT_FOLDER: dataDir, POWER_CUT_JOURNALS: journals }
  return { env, cut: () => cutPower(dataDir, journals, random) }
}

function run(command: string, dataDir: string): number {
  execFileSync('sh', ['-c', `${command} "$1"`, 'sh', dataDir], { stdio: ['ignore', 'ignore', 'inherit'] })
  return 0
}

function builtShim(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const shim = join(freshFolder(), 'power-cut.so')
  const source = join(import.meta.dirname, 'power-cut.c')
  try {
    execFileSync(process.env.CC ?? 'cc', ['-shared', '-fPIC', '-O1', '-o', shim, source, '-ldl', '-lpthread'], {
      stdio: 'ignore',
    })
    return shim
  } catch {
    return undefined
  }
}

/** One unsynced change of a file, with the bytes that the change overwrote or cut off, and the bytes that it wrote. */
interface Change {
  readonly kind: 'write' | 'truncation'
  readonly place: number
  readonly sizeBefore: number
  readonly before: Buffer
  readonly after: Buffer
}

function cutPower(dataDir: string, journals: string, random: () => number): number {
  // With a probability of one half, no unsynced change survives. Otherwise each written sector, truncation and created
  // file survives with the same random probability.
  const luck = random() < 0.5 ? 0 : random()
  let changes = 0
  for (const name of readdirSync(journals).filter((one) => !one.endsWith('.made'))) {
    const file = join(dataDir, name)
    const unsynced = changesIn(readFileSync(join(journals, name)))
    changes += unsynced.length
    if (existsSync(file)) rewind(file, unsynced, () => random() < luck)
    truncateSync(join(journals, name))
  }
  for (const name of readdirSync(journals).filter((one) => one.endsWith('.made'))) {
    if (random() >= luck) rmSync(join(dataDir, name.slice(0, -'.made'.length)), { force: true })
    rmSync(join(journals, name))
  }
  rmSync(join(dataDir, 'daybook.db-shm'), { force: true })
  return changes
}

const head = 33

function changesIn(journal: Buffer): Change[] {
  const changes: Change[] = []
  for (let at = 0; at + head <= journal.length; ) {
    const number = (index: number) => Number(journal.readBigUInt64LE(at + 1 + index * 8))
    const [place, written, sizeBefore, was] = [number(0), number(1), number(2), number(3)]
    const end = at + head + was + written
    // The process was killed while writing this record, so the change that the record announces was not made.
    if (end > journal.length) break
    changes.push({
      kind: journal[at] === 'W'.charCodeAt(0) ? 'write' : 'truncation',
      place,
      sizeBefore,
      before: journal.subarray(at + head, at + head + was),
      after: journal.subarray(at + head + was, end),
    })
    at = end
  }
  return changes
}

const sector = 512

/** Reverts the changes from the last to the first, then reapplies the truncations and written sectors that survive. */
function rewind(file: string, changes: readonly Change[], lucky: () => boolean): void {
  const descriptor = openSync(file, 'r+')
  for (const { place, sizeBefore, before } of changes.toReversed()) {
    writeSync(descriptor, before, 0, before.length, place)
    ftruncateSync(descriptor, sizeBefore)
  }
  for (const { kind, place, after } of changes) {
    if (kind === 'truncation' && lucky()) ftruncateSync(descriptor, place)
    for (let from = 0; from < after.length; from += sector) {
      const length = Math.min(sector, after.length - from)
      if (lucky()) writeSync(descriptor, after, from, length, place + from)
    }
  }
  closeSync(descriptor)
}
