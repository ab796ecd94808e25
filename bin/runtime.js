// The runtime that the installation put beside the service, for commands that were started on an older Node.
import { spawn } from 'node:child_process'
import * as module from 'node:module'
import { dirname, join } from 'node:path'

const wanted = 26

/** Whether this process is the runtime already. */
export function isRuntime() {
  return Number(process.versions.node.split('.')[0]) >= wanted
}

/** Runs this very command on the locked runtime, and ends as that ends. */
export function runLocked() {
  const runtime = lockedRuntime()
  if (!runtime) {
    console.error(`Daybook runs on Node ${wanted}. Run "npm ci" in its folder, which installs that runtime beside it.`)
    process.exit(1)
  }
  // The channel is how the child learns that this process was killed: it stops with it instead of outliving it.
  const child = spawn(runtime, [process.argv[1], ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, DAYBOOK_STOP_WITH_PARENT: '1' },
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
}

function lockedRuntime() {
  const require = module.createRequire(import.meta.url)
  const names = [
    `node-${process.platform}-${process.arch}`,
    `node-bin-${process.platform}-${process.arch}`,
    `node-win-${process.arch}`,
  ]
  for (const name of names) {
    try {
      const folder = dirname(require.resolve(`${name}/package.json`))
      return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    } catch {
      // Not this platform's package; the next name may be.
    }
  }
  return undefined
}
