import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextWith, databasesHere, freshDatabase, withStorage } from '../../../test/support/databases.ts'
import type { operations } from '../../operations.ts'
import { type OpenStorage, open } from '../../server/open.ts'
import { isTokenSecret, type TokenScope } from './token.ts'
import { hashSecret, newSecret, tokenRegister } from './tokens.operations.ts'
import { findToken } from './tokens.sql.ts'

type Storage = OpenStorage<typeof operations>
const table = new URL('../../operations.ts', import.meta.url)
const now = 1_800_000_000

async function made(
  storage: Storage,
  { scope = 'read', expiresAt = null }: { scope?: TokenScope; expiresAt?: number | null } = {},
) {
  const secret = newSecret()
  const input = { name: ' Till ', scope, hash: hashSecret(secret), expiresAt }
  const outcome = await storage.perform('tokens.create', input, contextWith({ now }))
  assert.ok('ok' in outcome, JSON.stringify(outcome))
  return { secret, id: outcome.ok.id }
}

test('a new secret passes its check, and no two are equal', () => {
  const secrets = Array.from({ length: 1_000 }, newSecret)
  assert.ok(secrets.every(isTokenSecret))
  assert.equal(new Set(secrets).size, 1_000)
})

test('a secret with a wrong checksum is refused without a query', async () => {
  const { at, remove } = await freshDatabase('sqlite')
  const storage = await open<typeof operations>({ at, operations: table })
  const register = tokenRegister(storage)
  // The database is closed, so a query would fail the test.
  await storage.close()
  const secret = newSecret()
  const wrong = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A')
  assert.deepEqual(await register.check(wrong, now), { reason: 'invalid_token' })
  await assert.rejects(register.check(secret, now))
  await remove()
})

test('many unknown secrets do not evict the cached result of a token in use', (t) =>
  withStorage<typeof operations>('sqlite', table, async (storage) => {
    const { secret } = await made(storage)
    const register = tokenRegister(storage)
    // No cached result expires during the test.
    t.mock.method(performance, 'now', () => 0)
    await register.check(secret, now)
    for (let at = 0; at < 10_001; at += 1) await register.check(newSecret(), now)
    assert.ok(register.remembered(secret, now))
  }))

for (const { kind, skip } of await databasesHere()) {
  describe(`tokens on ${kind}`, { skip, timeout: 600_000 }, () => {
    const onFresh = (work: (storage: Storage) => Promise<void>) => withStorage<typeof operations>(kind, table, work)

    test('a token is found by its secret, of which only a hash is stored', () =>
      onFresh(async (storage) => {
        const { secret, id } = await made(storage, { scope: 'write' })
        const checked = await tokenRegister(storage).check(secret, now)
        assert.deepEqual(checked, { token: { id, name: 'Till', scope: 'write', rateLimit: null } })
        const rows = JSON.stringify([
          await storage.db.build.selectFrom('token').selectAll().execute(),
          await storage.db.build.selectFrom('event').selectAll().execute(),
        ])
        assert.ok(!rows.includes(secret) && !rows.includes(secret.slice(4, 38)))
      }))

    test('a token expires, and an unknown secret is refused', () =>
      onFresh(async (storage) => {
        const { secret, id } = await made(storage, { expiresAt: now + 10 })
        const register = tokenRegister(storage)
        assert.ok('token' in (await register.check(secret, now + 9)))
        assert.deepEqual(await register.check(secret, now + 10), { reason: 'expired_token', tokenId: id })
        assert.deepEqual(await register.check(newSecret(), now), { reason: 'invalid_token' })
      }))

    test('a revoked token is refused, with one event however often it is revoked', () =>
      onFresh(async (storage) => {
        const { secret, id } = await made(storage)
        for (let time = 0; time < 2; time++) await storage.perform('tokens.revoke', { id }, contextWith({ now }))
        assert.deepEqual(await tokenRegister(storage).check(secret, now), { reason: 'revoked_token', tokenId: id })
        const events = await storage.db.build.selectFrom('event').select('type').orderBy('tx').execute()
        assert.deepEqual(
          events.map(({ type }) => type),
          ['token.created', 'token.revoked'],
        )
      }))

    test('only an existing token can be revoked, and an expired one cannot be created', () =>
      onFresh(async (storage) => {
        const outcome = await storage.perform('tokens.revoke', { id: 'tok_none' }, contextWith({ now }))
        assert.ok('refused' in outcome && outcome.refused.code === 'token_not_found')
        const input = { name: 'Till', scope: 'read' as const, hash: 'x', expiresAt: now }
        const late = await storage.perform('tokens.create', input, contextWith({ now }))
        assert.ok('refused' in late && late.refused.code === 'invalid_parameter')
      }))

    test('the last use of each token is stored in one write, without an event', () =>
      onFresh(async (storage) => {
        const [one, two] = [await made(storage), await made(storage)]
        const register = tokenRegister(storage)
        register.recordUse(one.id, '192.0.2.1', now + 1)
        register.recordUse(one.id, '192.0.2.2', now + 2)
        register.recordUse(two.id, '2001:db8::1', now + 3)
        await register.flush()
        const used = await Promise.all([one, two].map(({ id }) => findToken(storage.db, id)))
        assert.deepEqual(
          used.map((token) => [token?.lastUsedAt, token?.lastUsedAddress]),
          [
            [now + 2, '192.0.2.2'],
            [now + 3, '2001:db8::1'],
          ],
        )
        assert.equal((await storage.db.build.selectFrom('event').selectAll().execute()).length, 2)
      }))
  })
}
