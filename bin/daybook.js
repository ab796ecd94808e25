#!/usr/bin/env node
// The entry point of the command on any Node from version 20. The service itself runs on the Node version that `npm ci`
// installs as a package.
import { applySettings, isRuntime, limitHeaps, runLocked } from './runtime.js'

if (isRuntime()) {
  if (process.argv[2] === 'serve') applySettings()
  limitHeaps()
  const { keepCompiled } = await import('./compiled.js')
  keepCompiled()
  const { main } = await import('../src/main.ts')
  await main(process.argv.slice(2))
} else {
  runLocked()
}
