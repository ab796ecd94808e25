import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { eachDatabase, type ServiceProcess } from '../support/service.ts'
import { untilRefused } from '../support/until-refused.ts'

const now = Date.UTC(2027, 0, 4, 8) / 1000

eachDatabase((_kind, open) => {
  let service: ServiceProcess
  before(async () => {
    service = await open({ now })
  })

  const verify = (token: string) => service.call('GET', '/auth/verify/', { token })

  /** Returns the columns of a token's line in the output of `daybook token list`. */
  async function line(name: string): Promise<readonly string[]> {
    const { stdout } = await service.daybook('token', 'list')
    const found = stdout.split('\n').find((text) => text.split('\t')[1] === name)
    assert.ok(found, stdout)
    return found.split('\t')
  }

  async function create(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await service.daybook('token', 'create', ...args)
    assert.deepEqual([code, stderr], [0, ''])
    return stdout
  }

  test('a token created while the server runs works at once, its secret alone on stdout', async () => {
    const stdout = await create('--name', 'Shop', '--scope', 'read')
    assert.match(stdout, /^dbk_[0-9A-Za-z]{40}\n$/)
    const response = await verify(stdout.trim())
    assert.equal(response.status, 200)
  })

  test('the list has one line per token, its id first, without secrets', async () => {
    const secret = await create('--name', 'Listed', '--scope', 'write', '--expires', '90d')
    const [id, name, scope, created, expires, used, from, state, ...more] = await line('Listed')
    assert.match(id ?? '', /^tok_[0-9A-Za-z]{32}$/)
    assert.deepEqual([name, scope, used, from, state, more], ['Listed', 'write', '-', '-', 'active', []])
    assert.match(created ?? '', /^2027-01-04T/)
    assert.match(expires ?? '', /^2027-04-04T/)
    assert.ok(!(await service.daybook('token', 'list')).stdout.includes(secret.trim()))
  })

  test('a revoked token is refused within a second', async () => {
    const secret = (await create('--name', 'Lost', '--scope', 'read')).trim()
    assert.equal((await verify(secret)).status, 200)
    const [id = ''] = await line('Lost')
    const { code, stdout } = await service.daybook('token', 'revoke', id)
    const revoked = performance.now()
    assert.deepEqual([code, stdout], [0, `Revoked ${id} (Lost).\n`])
    const late = { since: revoked, within: 1_000, late: 'still accepted after a second' }
    await untilRefused(async () => (await verify(secret)).status === 401, late)
    assert.equal((await line('Lost')).at(-1), 'revoked')
  })

  test('an unknown token id is refused in one sentence', async () => {
    const { code, stdout, stderr } = await service.daybook('token', 'revoke', 'tok_none')
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^There is no token with this id\..*\n$/)
  })

  test('a name with line breaks is refused, as the list has one line per token', async () => {
    assert.equal((await service.daybook('token', 'create', '--name', 'a\nb', '--scope', 'read')).code, 2)
  })

  test('the last use is stored when the server stops, and tokens can be created without it', async () => {
    const secret = (await create('--name', 'Used', '--scope', 'read')).trim()
    await verify(secret)
    assert.equal(await service.stop(), 0)
    const [, , , , , used, from] = await line('Used')
    assert.match(used ?? '', /^2027-01-04T/)
    assert.equal(from, '127.0.0.1')
    const late = (await create('--name', 'Late', '--scope', 'read')).trim()
    await service.restart()
    assert.equal((await verify(late)).status, 200)
  })
})
