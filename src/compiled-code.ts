import { flushCompileCache } from 'node:module'

/**
 * Releases the memory in which Node retains the compiled code of all modules that this thread has loaded so far, after
 * it has stored what the cache in the file system lacks. Modules that are loaded later are read from the cache as usual.
 */
export function releaseCompiledCode(): void {
  flushCompileCache()
}
