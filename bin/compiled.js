// Caches compiled code in node_modules/.cache/daybook, which halves the duration of later starts. If the folder cannot
// be written, nothing is cached. An environment variable holds the path of the folder, because each thread reads it
// there.
import * as module from 'node:module'
import { join } from 'node:path'

export function keepCompiled() {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', 'node_modules', '.cache', 'daybook')
  module.enableCompileCache()
}
