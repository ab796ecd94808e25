// Caches compiled code in node_modules/.cache/daybook, which halves the duration of later starts; a folder that cannot be
// written is ignored. The path of the folder is put into an environment variable, because each thread reads the variable.
import * as module from 'node:module'
import { join } from 'node:path'

export function keepCompiled() {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', 'node_modules', '.cache', 'daybook')
  module.enableCompileCache()
}
