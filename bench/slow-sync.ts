import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { freshFolder } from '../test/support/daybook.ts'

/**
 * Returns environment variables with which each sync to disk of a process takes `microseconds` longer. Prints a message
 * and returns undefined when there is no C compiler.
 */
export function slowDisk(microseconds: number): NodeJS.ProcessEnv | undefined {
  const library = join(freshFolder(), 'slow-sync.so')
  try {
    execFileSync(process.env.CC ?? 'cc', [
      '-shared',
      '-fPIC',
      '-O1',
      '-o',
      library,
      join(import.meta.dirname, 'slow-sync.c'),
      '-ldl',
    ])
  } catch (error) {
    console.log(`SKIPPED with a slowed disk: no C compiler made ${library} (${String(error).split('\n', 1)[0]}).`)
    return undefined
  }
  return { LD_PRELOAD: library, SLOW_SYNC_MICROSECONDS: String(microseconds) }
}
