import { ended } from './cli/failure.ts'
import { run } from './cli/run.ts'

/** The command line: runs one command, prints what it came to, and leaves its exit code with the process. */
export async function main(argv: readonly string[]): Promise<void> {
  stopWithParent()
  const { exit, out, err } = await ended(() => run(argv, process.env))
  process.stdout.write(out)
  process.stderr.write(err)
  process.exitCode = exit
}

// Started by another process that passes its signals on: when that one is gone, killed perhaps, nobody would.
function stopWithParent(): void {
  if (!process.env.DAYBOOK_STOP_WITH_PARENT || !process.send) return
  process.once('disconnect', () => process.exit(1))
  process.channel?.unref()
}
