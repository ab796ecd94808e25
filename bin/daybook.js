#!/usr/bin/env node
// The entry point of the command on any Node from version 20: the service itself needs the locked runtime, which `npm
// ci` installs as a package.
import { isRuntime, limitHeaps, runLocked } from './runtime.js'

if (isRuntime()) {
  limitHeaps()
  const { keepCompiled } = await import('./compiled.js')
  keepCompiled()
  const { main } = await import('../src/main.ts')
  await main(process.argv.slice(2))
} else {
  runLocked()
}
