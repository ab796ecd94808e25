import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Whether this machine has PHP, with which the WordPress plugin is tested. */
export function hasPhp(): Promise<boolean> {
  return execute('php', ['-v']).then(
    () => true,
    () => false,
  )
}

/** Runs PHP with these arguments and resolves to its output; rejects when PHP exits with an error. */
export async function php(...args: readonly string[]): Promise<string> {
  return (await execute('php', args)).stdout
}
