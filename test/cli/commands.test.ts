import assert from 'node:assert/strict'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { command, endProcess, freshFolder, serve } from '../support/daybook.ts'

const patience = 600_000

describe('the command line', { timeout: patience, concurrency: 2 }, () => {
  test('lists every command with --help, and each command its options', async () => {
    const all = await command(['--help'])
    assert.equal(all.code, 0)
    for (const name of ['serve', 'token create', 'token list', 'token revoke', 'apply', 'migrate']) {
      assert.match(all.stdout, new RegExp(`^  ${name} `, 'm'))
    }
    const one = await command(['serve', '--help'])
    assert.deepEqual([one.code, one.stderr], [0, ''])
    assert.match(one.stdout, /--port P .*Default: 8080\. \[DAYBOOK_PORT\]/)
  })

  for (const [argv, sentence] of [
    [[], /Usage: daybook/],
    [['tokens'], /no command "tokens"/],
    [['token', 'list', '--dir', 'x'], /no option --dir/],
    [['token', 'create', '--name', 'x', '--scope', 'admin'], /--scope is needed: read or write/],
    [['token', 'create', '--name', 'x', '--scope', 'read', '--expires', 'soon'], /--expires must be/],
    [['apply'], /FILE is missing/],
    [['serve', '--port', '99999'], /--port must be/],
  ] as const) {
    test(`"${argv.join(' ')}" is a usage error: exit code 2, and the reason on stderr`, async () => {
      const { code, stdout, stderr } = await command(argv)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, sentence)
    })
  }

  test('any command on an empty directory creates the database, readable by its owner only', async () => {
    const dataDir = join(freshFolder(), 'new', 'data')
    const { code, stdout } = await command(['migrate', '--data-dir', dataDir])
    assert.equal(code, 0)
    assert.match(stdout, /^Applied migration 0001\.\n(Applied migration \d{4}\.\n)*$/)
    for (const name of ['.', 'daybook.db', 'daybook.lock']) {
      assert.equal(statSync(join(dataDir, name)).mode & 0o077, 0, name)
    }
    assert.match((await command(['migrate', '--data-dir', dataDir])).stdout, /up to date/)
  })

  test('a missing file and an invalid directory are reported in one line', async () => {
    const folder = freshFolder()
    writeFileSync(join(folder, 'file'), '')
    for (const argv of [
      ['apply', join(folder, 'none.json'), '--data-dir', folder],
      ['token', 'list', '--data-dir', join(folder, 'file')],
      ['token', 'list', '--database-url', 'postgres://127.0.0.1:1/none'],
    ]) {
      const { code, stderr } = await command(argv)
      assert.equal(code, 1, argv.join(' '))
      // `command` has removed the progress lines of a busy machine, so exactly one sentence is left.
      assert.match(stderr, /^[A-Z][^\n]*\.\n$/)
    }
  })
})

describe('serve', { timeout: patience }, () => {
  test("prints the API's address, takes its port from the environment, and ends with 0 on SIGTERM", async () => {
    const { child, url } = await serve(['--data-dir', freshFolder()], process.env)
    assert.equal((await fetch(`${url}/health/ready`)).status, 200)
    assert.equal(await endProcess(child, 'SIGTERM'), 0)
  })

  test('locks its directory: a second server is refused in one sentence', async () => {
    const dataDir = freshFolder()
    const { child } = await serve(['--data-dir', dataDir], process.env)
    const second = await command(['serve', '--port', '0', '--data-dir', dataDir])
    assert.deepEqual([second.code, second.stdout], [1, ''])
    assert.match(second.stderr, /^Another Daybook runs on .*\.\n$/)
    await endProcess(child, 'SIGTERM')
  })

  test('refuses an invalid language of the booking page in one sentence that names the file', async () => {
    const directory = freshFolder()
    const start = () => command(['serve', '--port', '0', '--data-dir', freshFolder(), '--page-languages', directory])
    for (const [content, reason] of [
      ['{', 'The file is not JSON.'],
      ['{"name":"X","words":{"nonsense":"y"}}', '"words.nonsense" is not a word of the booking page.'],
    ] as const) {
      writeFileSync(join(directory, 'xx.json'), content)
      const { code, stdout, stderr } = await start()
      assert.deepEqual([code, stdout, stderr], [1, '', `${join(directory, 'xx.json')}: ${reason}\n`])
    }
  })

  test('starts again after a kill, despite the leftover socket', async () => {
    const dataDir = freshFolder()
    const first = await serve(['--data-dir', dataDir], process.env)
    await endProcess(first.child, 'SIGKILL')
    assert.ok(existsSync(join(dataDir, 'daybook.sock')))
    const second = await serve(['--data-dir', dataDir], process.env)
    const { code, stderr } = await command(['token', 'list', '--data-dir', dataDir])
    assert.equal(code, 0, stderr)
    await endProcess(second.child, 'SIGTERM')
  })

  test('is reached by commands in a directory whose path is longer than a socket path may be', async () => {
    const dataDir = join(freshFolder(), 'x'.repeat(120))
    const { child } = await serve(['--data-dir', dataDir], process.env)
    assert.equal(statSync(join(dataDir, 'daybook.sock')).mode & 0o777, 0o600)
    const { code, stderr } = await command(['token', 'list', '--data-dir', dataDir])
    assert.equal(code, 0, stderr)
    await endProcess(child, 'SIGTERM')
    assert.ok(!existsSync(join(dataDir, 'daybook.sock')))
  })

  test('names a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((listening) => other.once('listening', listening))
    const address = other.address()
    assert.ok(typeof address === 'object' && address)
    const { code, stderr } = await command(['serve', '--port', String(address.port), '--data-dir', freshFolder()])
    assert.equal(code, 1)
    assert.equal(
      stderr,
      `Port ${address.port} on 127.0.0.1 is in use by another program; choose another with --port.\n`,
    )
    await new Promise((closed) => other.close(closed))
  })

  test('with further threads, names a port that is in use by another service', async () => {
    const first = await serve(['--workers', '2', '--data-dir', freshFolder()], process.env)
    const { port } = new URL(first.url)
    const { code, stderr } = await command(['serve', '--workers', '2', '--port', port, '--data-dir', freshFolder()])
    assert.equal(code, 1)
    assert.equal(stderr, `Port ${port} on 127.0.0.1 is in use by another program; choose another with --port.\n`)
    await endProcess(first.child, 'SIGTERM')
  })

  test('warns when its clock is not the real one', async () => {
    const server = await serve(['--data-dir', freshFolder()], { ...process.env, DAYBOOK_NOW: '1893456000' })
    assert.match(server.stderr(), /NOTICE: the clock started at 2030-01-01T00:00:00/)
    await endProcess(server.child, 'SIGTERM')
  })
})
