#!/usr/bin/env node
// Builds the panel into dist/admin unless it was built from the current sources. Any Node from version 20 can run this
// file.
import { isRuntime, runLocked } from './runtime.js'

if (isRuntime()) {
  const { buildPanel } = await import('./panel.js')
  const { built, seconds } = await buildPanel()
  if (built) console.error(`The panel was built in ${seconds.toFixed(1)} s.`)
  else if (built === undefined)
    console.error('The panel is not built: its tools are left out of this installation. "npm ci" brings them.')
} else {
  runLocked()
}
