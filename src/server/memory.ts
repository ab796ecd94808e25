import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Late enough that the first requests of an impatient client are answered before.
const afterStart = 1000

/**
 * Gives back what starting this thread took and nothing holds any longer, once, a second from now. Left alone, V8 keeps
 * the room that loading and compiling needed as long as there is little to do. See decisions/0029.
 */
export function shrinkAfterStart(): void {
  // Set for the whole process and left so: threads that took it back would take it from each other.
  setFlagsFromString('--expose-gc')
  setTimeout(() => {
    const collect: ((options: object) => void) | undefined = runInNewContext('globalThis.gc')
    collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, afterStart).unref()
}
