// Runs commands that were started on an older Node on the runtime that `npm ci` has installed as a package.
import { spawn } from 'node:child_process'
import * as module from 'node:module'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

const wanted = 26
const require = module.createRequire(import.meta.url)
// V8 and malloc read these settings only when a process starts.
//
// options: half-spaces of 2 MB in the young generation of the main thread, which handles requests. With the 1 MB of the
// other threads, it is collected more often, and collecting it takes more time in all
// (docs/performance/start-and-memory.md).
//
// environment: with two malloc arenas, glibc retains less freed memory than with one per thread, 10 MB less at rest
// (row P19 of docs/benchmarks.md).
const settings = require('./runtime-settings.json')

/** Whether this process runs on a version of Node that the service supports. */
export function isRuntime() {
  return Number(process.versions.node.split('.')[0]) >= wanted
}

/**
 * Limits the growth of the heaps of all threads. This holds the memory of row P19 of docs/benchmarks.md, and costs up
 * to a third of the throughput (docs/performance/start-and-memory.md). By default V8 enlarges its young generation
 * under load and never shrinks it again, and lets the old generation grow to a multiple of its live objects. Every
 * process that caches compiled code calls this function, because V8 rejects code that was compiled with other flags.
 */
export function limitHeaps() {
  // Undoes the options of `settings` for threads that start later, and for the flags with which code is compiled, which
  // are therefore the same in a process that was started without these options.
  setFlagsFromString('--min-semi-space-size=0')
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=40')
}

/**
 * Replaces the program of this process by itself with the settings of V8 and malloc for the service, unless it has them.
 * The process ID and the standard streams remain. On Windows, where this is impossible, the process continues as it is.
 */
export function applySettings() {
  const isSet =
    'MALLOC_ARENA_MAX' in process.env && settings.options.every((option) => process.execArgv.includes(option))
  if (isSet || !process.execve) return
  const args = [process.execPath, ...process.execArgv, ...settings.options, ...process.argv.slice(1)]
  process.execve(process.execPath, args, { ...settings.environment, ...process.env })
}

/**
 * Runs the same command on the Node version that `npm ci` has installed as a package, and exits with its exit code or
 * signal.
 */
export function runLocked(file = process.argv[1]) {
  const runtime = lockedRuntime()
  if (!runtime) {
    console.error(`Daybook runs on Node ${wanted}. Run "npm ci" in its folder, which installs that runtime beside it.`)
    process.exit(1)
  }
  // When this process is killed, the IPC channel closes. The child then stops, too.
  const child = spawn(runtime, [...settings.options, file, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...settings.environment, ...process.env, DAYBOOK_STOP_WITH_PARENT: '1' },
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
}

function lockedRuntime() {
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
      // The package of this name is not installed; the next name is tried.
    }
  }
  return undefined
}
