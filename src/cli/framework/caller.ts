import type { FileHandle } from 'node:fs/promises'
import type { CommandCaller } from './command.ts'

/** Returns the caller of a command that runs in this process; output goes to `file`, or to stdout without one. */
export function localCaller(file?: FileHandle): CommandCaller {
  return {
    write: async (text) => (file ? void (await file.write(text)) : print(text)),
    note: (message) => void process.stderr.write(`${message}\n`),
  }
}

function print(text: string): Promise<void> {
  // When the reader has closed the pipe, as in "daybook export | head", the callback of `write` receives the error.
  // Without a listener, the `error` event of stdout would end the process.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {})
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
}

/**
 * Runs `work`, and notifies the caller once a second that a long command is still running, unless the command reports
 * progress itself.
 */
export async function withProgress<T>(
  caller: CommandCaller,
  name: string,
  work: (caller: CommandCaller) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  let quiet = true
  const timer = setInterval(() => {
    if (quiet) caller.note(`${name}: at work for ${Math.round((performance.now() - began) / 1000)} s …`)
    quiet = true
  }, 1_000)
  timer.unref()
  try {
    return await work({
      write: caller.write,
      note: (message) => {
        quiet = false
        caller.note(message)
      },
    })
  } finally {
    clearInterval(timer)
  }
}
