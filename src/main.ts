import { exitOnFailure } from './cli/framework/failure.ts'
import { run } from './cli/framework/run.ts'

/** Runs one command of the command line, prints its output, and sets the exit code of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  stopWithParent()
  stopWithNpm()
  const { exit, out, err } = await exitOnFailure(() => run(argv, process.env))
  process.stdout.write(out)
  process.stderr.write(err)
  process.exitCode = exit
}

// Stops this process when the launcher that started it (`bin/runtime.js`) ends. The launcher forwards termination signals;
// once it has been killed, no signal would reach this process.
function stopWithParent(): void {
  if (!process.env.DAYBOOK_STOP_WITH_PARENT || !process.send) return
  process.once('disconnect', () => process.exit(1))
  process.channel?.unref()
}

// Stops this process when the shell ends in which npm started it. npm sends signals to that shell, which does not forward
// them, so the service would go on occupying its port and its data directory.
function stopWithNpm(): void {
  if (!/\bdaybook\b/.test(process.env.npm_lifecycle_script ?? '')) return
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 100)
  watch.unref()
}
