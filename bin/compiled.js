// Where what was compiled once is kept, to be read back at the next start, which halves it. A folder that cannot be
// written is left alone. In the environment, because each thread looks there for itself.
import * as module from 'node:module'
import { join } from 'node:path'

export function keepCompiled() {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', 'node_modules', '.cache', 'daybook')
  module.enableCompileCache()
}
