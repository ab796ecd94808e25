import type { FileHandle } from 'node:fs/promises'
import type { CommandCaller } from './command.ts'

/** The caller of a command that runs for whoever started this process. */
export function ownCaller(file?: FileHandle): CommandCaller {
  return {
    write: async (text) => (file ? void (await file.write(text)) : print(text)),
    note: (sentence) => void process.stderr.write(`${sentence}\n`),
  }
}

function print(text: string): Promise<void> {
  // A reader who has gone, as in "daybook export | head", is told by the callback.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {})
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
}

/** Lets the caller hear that a long command still works, from its first second on; a command that tells more is not disturbed. */
export async function reassured<T>(
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
      note: (sentence) => {
        quiet = false
        caller.note(sentence)
      },
    })
  } finally {
    clearInterval(timer)
  }
}
