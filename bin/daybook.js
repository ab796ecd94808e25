#!/usr/bin/env node
// The command's door on any Node from 20 up: the service itself needs the locked runtime, which `npm ci` put beside it.
import { isRuntime, runLocked } from './runtime.js'

if (isRuntime()) {
  const { keepCompiled } = await import('./compiled.js')
  keepCompiled()
  const { main } = await import('../src/main.ts')
  await main(process.argv.slice(2))
} else {
  runLocked()
}
