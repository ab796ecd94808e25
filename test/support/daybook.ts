import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { exitOnFailure } from '../../src/cli/framework/failure.ts'
import { run } from '../../src/cli/framework/run.ts'

/**
 * The exit code and output of one command. `command` removes from `stderr` the progress lines that appear only on slow
 * machines.
 */
export interface CommandResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const program = join(import.meta.dirname, '../../bin/daybook.js')
const running = new Set<ChildProcess>()
const folders: string[] = []
// The test process ends its servers and removes its directories even when a test has failed.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Creates a temporary directory that is removed when the test process exits, unless the process is killed. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-'))
  folders.push(folder)
  return folder
}

/**
 * Runs `daybook` with these arguments as a separate process, `input` as its stdin, and resolves when the process has
 * ended.
 */
export async function command(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  input?: string,
): Promise<CommandResult> {
  const child = launch(args, env, input)
  const output = collect(child)
  const [code] = await once(child, 'close')
  return { code, stdout: output.stdout, stderr: output.stderr.replace(/^.*: at work for \d+ s …\n/gm, '') }
}

/** Runs a `daybook` command like `command` but inside the test process, which is faster for setting up other tests. */
export async function commandInProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<CommandResult> {
  const { exit, out, err } = await exitOnFailure(() => run(args, env))
  return { code: exit, stdout: out, stderr: err }
}

/** A running `daybook serve` process, its URL and its output so far. */
export interface Server {
  readonly child: ChildProcess
  readonly url: string
  stdout(): string
  stderr(): string
}

/**
 * Starts `daybook serve` with additional arguments and waits until `/health/ready`, or only `/health/live`, answers
 * 200.
 */
export async function serve(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  until: 'ready' | 'live' = 'ready',
): Promise<Server> {
  const child = launch(['serve', '--port', '0', ...args], env)
  const output = collect(child)
  // The start may take up to two minutes, because other tests may occupy the machine.
  const deadline = performance.now() + 120_000
  const said = (): string => `serve said:\n${output.stdout}${output.stderr}`
  for (;;) {
    assert.ok(
      child.exitCode === null && child.signalCode === null,
      `serve ended early (${child.exitCode ?? child.signalCode}); ${said()}`,
    )
    assert.ok(performance.now() < deadline, `serve was not ready in time; ${said()}`)
    const url = /(http:\/\/[^\s/]+)\/api\/v1/.exec(output.stdout)?.[1]
    if (url !== undefined && (await isWell(url, until))) {
      return { child: detach(child), url, stdout: () => output.stdout, stderr: () => output.stderr }
    }
    await pause(5)
  }
}

async function isWell(url: string, how: 'ready' | 'live'): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/${how}`)).status === 200
  } catch {
    // The connection is refused until the server listens.
    return false
  }
}

/** Starts `daybook` with these arguments as a separate process, `input` as its stdin. */
export function launch(args: readonly string[], env: NodeJS.ProcessEnv, input?: string): ChildProcess {
  const stdin = input === undefined ? 'ignore' : 'pipe'
  const child = spawn(process.execPath, [program, ...args], { env, stdio: [stdin, 'pipe', 'pipe'] })
  child.stdin?.end(input)
  running.add(child)
  child.on('exit', () => running.delete(child))
  return child
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  return output
}

/** Lets the test process end although the server is still running. */
function detach(child: ChildProcess): ChildProcess {
  child.unref()
  for (const stream of [child.stdout, child.stderr]) {
    if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
  return child
}

/**
 * Sends a signal to a server process and waits until the process has ended; does nothing if the process has ended
 * already. Returns the exit code, or null when a signal ended the process.
 */
export async function endProcess(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  child.ref()
  child.kill(signal)
  const [code] = await once(child, 'exit')
  return code
}
