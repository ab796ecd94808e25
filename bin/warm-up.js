// Fills the cache of compiled code, and builds the panel.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { keepCompiled } from './compiled.js'
import { buildPanel } from './panel.js'
import { limitHeaps } from './runtime.js'

/** Compiles every module of the service into the cache, and builds the panel unless it is up to date. */
export async function warmUp() {
  limitHeaps()
  keepCompiled()
  const src = join(import.meta.dirname, '..', 'src')
  for (const file of globSync('**/*.ts', { cwd: src })) {
    // A module that is the entry point of a thread throws when it runs on the main thread, but it has been compiled by
    // then.
    if (!file.endsWith('.test.ts')) await import(join(src, file)).catch(() => {})
  }
  await buildPanel()
}
