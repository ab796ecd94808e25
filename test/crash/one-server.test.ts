import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { command, endProcess, freshFolder, type Server, serve } from '../support/daybook.ts'
import { proved } from '../support/proof.ts'
import { scaled } from '../support/scale.ts'

const started: Server[] = []
after(() => Promise.all(started.map(({ child }) => endProcess(child, 'SIGKILL'))))

async function start(dataDir: string): Promise<Server> {
  const server = await serve(['--data-dir', dataDir], process.env)
  started.push(server)
  return server
}

async function assertRefused(dataDir: string): Promise<void> {
  const { code, stdout, stderr } = await command(['serve', '--port', '0', '--data-dir', dataDir])
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.equal(stderr, `Another Daybook runs on ${dataDir}. Stop it, or choose another --data-dir.\n`)
}

test('a second server on the same directory is refused in one sentence, whatever path it uses', async () => {
  const folder = freshFolder()
  const dataDir = join(folder, 'data')
  const { url } = await start(dataDir)
  const link = join(folder, 'link')
  symlinkSync(dataDir, link)
  await Promise.all([dataDir, link, join(folder, 'data', '..', 'data')].map(assertRefused))
  assert.equal((await fetch(`${url}/health/ready`)).status, 200)
  const listed = await command(['token', 'list', '--data-dir', link])
  assert.deepEqual([listed.code, listed.stderr], [0, ''], 'a command finds the server through the link')
})

test('of servers started concurrently exactly one serves', async (t) => {
  const rounds = scaled(2)
  for (let round = 0; round < rounds; round++) {
    const dataDir = join(freshFolder(), 'data')
    const tries = await Promise.allSettled([1, 2, 3].map(() => start(dataDir)))
    assert.deepEqual(tries.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
    for (const one of tries) {
      if (one.status === 'rejected') assert.match(String(one.reason), /ended early \(1\)[\s\S]*Another Daybook runs on/)
    }
  }
  proved(t, 'S5 one server', { rounds, 'servers started': rounds * 3, 'two at once': 0, none: 0 })
})

test('a killed server can be restarted at once', async (t) => {
  const dataDir = join(freshFolder(), 'data')
  const kills = scaled(4)
  for (let kill = 0; kill < kills; kill++) {
    const { child, url } = await start(dataDir)
    assert.equal((await fetch(`${url}/health/ready`)).status, 200)
    // The test does not await the end of the process, so that the next server may start while the kernel is still
    // releasing the locks of the killed one.
    child.kill('SIGKILL')
  }
  proved(t, 'S5 lock', { kills, 'left locked': 0 })
})

test('a SQLite version that can damage a database is refused by servers and commands', async () => {
  const preload = pathToFileURL(join(import.meta.dirname, '../support/old-sqlite.ts')).href
  const env = { ...process.env, NODE_OPTIONS: `--import ${preload}` }
  const dataDir = freshFolder()
  for (const words of [['serve', '--port', '0'], ['doctor']]) {
    const { code, stderr } = await command([...words, '--data-dir', dataDir], env)
    assert.equal(code, 1)
    assert.match(stderr, /SQLite 3\.51\.2 can damage a database .*; 3\.51\.3 is needed/)
  }
})
