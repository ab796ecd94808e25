import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { endProcess, freshFolder, serve } from '../support/daybook.ts'

// The maximum milliseconds of a start; the documentation promises the first slot by curl within 20 seconds of the
// installation.
const maxStartTime = 15_000
// The maximum resident memory at rest in megabytes, as in row P19 of docs/benchmarks.md; see decisions/0001.
const maxAtRest = 140
// The maximum milliseconds until the memory is at rest: the process frees the memory that its start needed about a
// second later, and later still on a busy machine.
const settledWithin = 30_000

test('the service is ready within seconds and small at rest', {
  skip: existsSync('/proc/self/status') ? false : 'memory is read from /proc',
}, async (context) => {
  // The first service stores its compiled code, which the measured service then uses.
  await endProcess((await started()).child, 'SIGTERM')

  const since = performance.now()
  const server = await started()
  const milliseconds = Math.round(performance.now() - since)
  const { status } = await fetch(`${server.url}/api/v1/services/get/`)
  let megabytes = residentMegabytes(server.child.pid)
  while (megabytes > maxAtRest && performance.now() - since < settledWithin) {
    // The memory is read from /proc, because a request to the service would take memory too.
    await pause(20)
    megabytes = residentMegabytes(server.child.pid)
  }
  await endProcess(server.child, 'SIGTERM')

  context.diagnostic(`ready after ${milliseconds} ms, ${megabytes} MB at rest`)
  assert.equal(status, 401)
  assert.ok(milliseconds < maxStartTime, `ready after ${milliseconds} ms`)
  assert.ok(megabytes <= maxAtRest, `${megabytes} MB at rest`)
})

test('a service that is killed has stored its compiled code, which the next start uses', async () => {
  const cache = freshFolder()
  const stored = () => readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  await endProcess((await started({ NODE_COMPILE_CACHE: cache })).child, 'SIGKILL')
  const first = stored().length
  assert.ok(first > 500, `${first} modules are stored`)
  await endProcess((await started({ NODE_COMPILE_CACHE: cache })).child, 'SIGKILL')
  assert.equal(stored().length, first)
})

function started(env: NodeJS.ProcessEnv = {}) {
  return serve(['--data-dir', freshFolder()], { ...process.env, ...env })
}

function residentMegabytes(pid: number | undefined): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  assert.ok(kilobytes)
  return Math.round(Number(kilobytes) / 1024)
}
