#!/usr/bin/env node
// The command's door on any Node from 20 up: the service itself needs the locked runtime, which `npm ci` put beside it.
import { setFlagsFromString } from 'node:v8'
import { isRuntime, runLocked } from './runtime.js'

if (isRuntime()) {
  // Loading would grow V8's young generation, which is not given back: 9 of 137 MB at rest (row P19 of docs/benchmarks.md).
  setFlagsFromString('--semi-space-growth-factor=1')
  const { keepCompiled } = await import('./compiled.js')
  keepCompiled()
  const { main } = await import('../src/main.ts')
  await main(process.argv.slice(2))
} else {
  runLocked()
}
