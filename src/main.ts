import { exitOnFailure } from './cli/framework/failure.ts'
import { run } from './cli/framework/run.ts'

/** The command line: runs one command, prints what it came to, and leaves its exit code with the process. */
export async function main(argv: readonly string[]): Promise<void> {
  stopWithParent()
  stopWithNpm()
  const { exit, out, err } = await exitOnFailure(() => run(argv, process.env))
  process.stdout.write(out)
  process.stderr.write(err)
  process.exitCode = exit
}

// The parent process passes signals on; after its end, by a kill for example, none would arrive.
function stopWithParent(): void {
  if (!process.env.DAYBOOK_STOP_WITH_PARENT || !process.send) return
  process.once('disconnect', () => process.exit(1))
  process.channel?.unref()
}

// npm passes a signal on to the shell that it runs its line in, and that shell dies of it without telling anyone: the
// service would go on with its port and its data, belonging to nobody.
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
