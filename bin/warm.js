// Runs once after the installation: compiles the service, so that its first start is as quick and small as later
// ones, and builds the panel. A module that is compiled while the service runs loads the type stripper, which takes
// 25 MB until the service is restarted.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { keepCompiled } from './compiled.js'
import { buildPanel } from './panel.js'
import { limitHeaps } from './runtime.js'

limitHeaps()
keepCompiled()
const src = join(import.meta.dirname, '..', 'src')
for (const file of globSync('**/*.ts', { cwd: src })) {
  // A module that is the entry point of a thread throws when it runs on the main thread, but it has been compiled by
  // then.
  if (!file.endsWith('.test.ts')) await import(join(src, file)).catch(() => {})
}
await buildPanel()
