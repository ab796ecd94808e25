import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { end, freshFolder, serve } from '../support/daybook.ts'

// The first slot by curl is promised within 20 seconds of the installation.
const maxStartTime = 15_000
// Row P19 of docs/benchmarks.md; see decisions/0001.
const maxAtRest = 140
// Memory used by the start is released a second later, on a busy machine later still.
const settledWithin = 30_000

test('the service is ready within seconds and small at rest', {
  skip: existsSync('/proc/self/status') ? false : 'memory is read from /proc',
}, async (context) => {
  // An ended service leaves its compilation cache for the next.
  await end((await started()).child, 'SIGTERM')

  const since = performance.now()
  const server = await started()
  const milliseconds = Math.round(performance.now() - since)
  const { status } = await fetch(`${server.url}/api/v1/services/get/`)
  let megabytes = residentMegabytes(server.child.pid)
  while (megabytes > maxAtRest && performance.now() - since < settledWithin) {
    // Measured from outside, since a request would take memory too.
    await pause(20)
    megabytes = residentMegabytes(server.child.pid)
  }
  await end(server.child, 'SIGTERM')

  context.diagnostic(`ready after ${milliseconds} ms, ${megabytes} MB at rest`)
  assert.equal(status, 401)
  assert.ok(milliseconds < maxStartTime, `ready after ${milliseconds} ms`)
  assert.ok(megabytes <= maxAtRest, `${megabytes} MB at rest`)
})

function started() {
  return serve(['--data-dir', freshFolder()], process.env)
}

function residentMegabytes(pid: number | undefined): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  assert.ok(kilobytes)
  return Math.round(Number(kilobytes) / 1024)
}
