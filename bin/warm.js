// Runs once after the installation: compiles the service, so that its first start is as quick and small as later
// ones, and builds the panel. A module that is compiled while the service runs loads the type stripper, which takes
// 25 MB until the service is restarted. Any Node from version 20 can run this file.
import { fileURLToPath } from 'node:url'
import { isRuntime, runLocked } from './runtime.js'

if (isRuntime()) {
  const { warmUp } = await import('./warm-up.js')
  await warmUp()
} else {
  // During the installation this module is imported by a script without a file.
  runLocked(fileURLToPath(import.meta.url))
}
