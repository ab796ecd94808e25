import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { command, freshFolder } from '../support/daybook.ts'
import { proved } from '../support/proof.ts'
import { scaled, seed, seededRandom } from '../support/scale.ts'
import { startService } from '../support/service.ts'

const folder = freshFolder()
const rounds = scaled(3)
const skip = mounted() ? false : 'only root can mount a small disk to fill up'
after(() => {
  if (!skip) execFileSync('/bin/umount', ['--lazy', folder])
})

describe('on a full disk', { skip }, () => {
  test('writes are refused with 503, reads continue, and writes resume once there is space', async (t) => {
    const service = await startService({ dataDir: folder })
    t.after(() => service.kill())
    let sent = 0
    const note = 'x'.repeat(1_000)
    const add = () =>
      service.call('POST', '/services/add/', {
        body: { name: `Service ${++sent}`, description: note, class: 'appointment' },
      })
    const count = async () => (await service.call('GET', '/services/get/')).body.response.length

    const random = seededRandom(seed)
    const filler = join(folder, 'filler')
    let kept = 0
    let refused = 0
    // In each round, the disk becomes full at a random point of a write; the first write after space is freed must
    // succeed.
    for (let round = 0; round < rounds; round++) {
      assert.equal((await add()).status, 200, 'there is room')
      kept++
      fill(filler, Math.floor(random() * 40))
      const before = refused
      // The free blocks that are left are enough for a few more writes.
      for (let tries = 0; refused < before + 10 && tries < 2_000; tries++) {
        const { status, headers, text } = await add()
        if (status === 200) kept++
        else {
          assert.equal(status, 503, text)
          assert.equal(headers.get('retry-after'), '1')
          refused++
        }
      }
      assert.equal(refused, before + 10, 'the disk was full')
      assert.equal(await count(), kept)
      if (round + 1 < rounds) rmSync(filler)
    }
    const together = await Promise.all(Array.from({ length: 30 }, add))
    kept += together.filter(({ status }) => status === 200).length
    assert.ok(together.every(({ status }) => status === 200 || status === 503))
    assert.equal(await count(), kept)
    const large = join(freshFolder(), 'site.json')
    const services = Array.from({ length: 100 }, (_, n) => ({ key: `k${n}`, name: `K${n}`, description: note }))
    writeFileSync(large, JSON.stringify({ services }))
    const { code, stderr } = await service.daybook('apply', large)
    assert.equal(code, 1)
    assert.match(stderr, /^Daybook stopped: the database is unavailable \([^\n]+full\)\n$/)
    assert.equal((await service.call('GET', '/events/get/', { query: { limit: 1 } })).status, 200)
    assert.equal((await fetch(`${service.url}/health/ready`)).status, 200)
    assert.match(await (await fetch(`${service.url}/metrics`)).text(), /^daybook_disk_free_bytes \d{1,5}$/m)

    rmSync(filler)
    assert.equal((await add()).status, 200, 'the first write after there is room')
    assert.equal(await count(), kept + 1)
    assert.equal(await service.stop(), 0)
    assertWhole(join(folder, 'daybook.db'), kept + 1)
    proved(t, 'S3', { 'times full': rounds, 'writes refused': refused, 'writes kept': kept + 1, lost: 0 })
  })

  test('neither a server nor a command starts, and each reports the reason in one sentence', async () => {
    const filler = join(folder, 'filler')
    rmSync(filler, { force: true })
    fill(filler, 0)
    const dataDir = join(folder, 'new')
    for (const words of [
      ['serve', '--port', '0'],
      ['token', 'list'],
    ]) {
      const { code, stderr } = await command([...words, '--data-dir', dataDir])
      assert.equal(code, 1)
      assert.match(stderr, /^The disk [^\n]+full\.\n$/)
    }
    rmSync(filler)
    assert.equal((await command(['token', 'list', '--data-dir', dataDir])).code, 0)
  })
})

/** Fails unless the database is undamaged and has one `service.created` event per service. */
function assertWhole(file: string, services: number): void {
  const database = new DatabaseSync(file, { readOnly: true })
  assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  const rows = database.prepare('select count(*) as n from service').get()?.n
  const events = database.prepare("select count(*) as n from event where type = 'service.created'").get()?.n
  database.close()
  assert.deepEqual({ rows, events }, { rows: services, events: services })
}

/** Writes a file that leaves `blocks` blocks of the disk free. */
function fill(file: string, blocks: number): void {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(file, Buffer.alloc((bavail - blocks) * bsize))
}

function mounted(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=24m', 'daybook-test', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
