import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { now } from '../support/clinic.ts'
import { type CommandResult, command } from '../support/daybook.ts'
import { eachDatabase, type ServiceProcess } from '../support/service.ts'
import { openSql, type SqlRow } from '../support/sql.ts'

const site = { site: { siteUrl: 'https://clinic.example/welcome' }, providers: [{ id: 3, name: 'Ana' }] }

eachDatabase((_kind, open) => {
  describe('user create', { timeout: 600_000 }, () => {
    let service: ServiceProcess
    before(async () => {
      service = await open({ now })
    })

    const user = (email: string): Promise<readonly SqlRow[]> =>
      ask(service, `select * from person where email = ?`, email)

    test('prints a link that sets a password once within the hour, of which only a hash is stored', async () => {
      const { code, stdout, stderr } = await service.daybook(
        'user',
        'create',
        '--email',
        'Ana@Clinic.Example',
        '--role',
        'admin',
      )
      assert.equal(code, 0, stderr)
      assert.match(stdout, /^http:\/\/127\.0\.0\.1:\d+\/admin\/set-password#[\w-]{43}\n$/)
      const [made] = await user('Ana@Clinic.Example')
      assert.deepEqual([made?.role, made?.status, made?.password_hash], ['admin', 'active', null])
      const [link] = await ask(service, 'select * from person_link where person_id = ?', String(made?.id))
      assert.equal(Number(link?.expires_at) - Number(link?.created_at), 3_600)
      assert.deepEqual([link?.purpose, link?.used_at], ['set_password', null])
      assert.ok(!JSON.stringify(link).includes(stdout.trim().split('#').at(-1) ?? ''))
    })

    test('never uses the site’s address for the link, which managers may change', async () => {
      await service.apply(site)
      const { stdout } = await service.daybook('user', 'create', '--email', 'b@clinic.example', '--role', 'manager')
      assert.match(stdout, /^http:\/\/127\.0\.0\.1:\d+\/admin\/set-password#[\w-]{43}\n$/)
    })

    test('reads a password from stdin, stores it as argon2id with a salt, and prints it nowhere', async () => {
      const argv = ['--role', 'provider', '--provider', '3', '--password-stdin']
      const made = await withInput(service, 'correct horse\n', 'user', 'create', '--email', 'c@clinic.example', ...argv)
      const twin = await withInput(service, 'correct horse', 'user', 'create', '--email', 'd@clinic.example', ...argv)
      assert.deepEqual([made.code, twin.code], [0, 0], made.stderr)
      assert.match(made.stdout, /^u_\w{32}\n$/)
      const [row, other] = [...(await user('c@clinic.example')), ...(await user('d@clinic.example'))]
      assert.equal(row?.provider_id, 3)
      const [, kind, , cost, salt = '', key] = String(row?.password_hash).split('$')
      assert.deepEqual([kind, cost], ['argon2id', 'm=19456,t=2,p=1'])
      const nonce = Buffer.from(salt, 'base64')
      const costs = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
      const derived = argon2Sync('argon2id', { message: 'correct horse', nonce, ...costs })
      assert.equal(derived.toString('base64').replaceAll('=', ''), key)
      assert.notEqual(row?.password_hash, other?.password_hash)
    })

    for (const [password, sentence] of [
      ['', /at least 10 characters/],
      ['\n', /at least 10 characters/],
      ['nine char', /at least 10 characters/],
      ['x'.repeat(1_001), /at most 1,000 characters/],
      ['1234567890', /sequence/],
      ['aaaaaaaaaa', /repeat/],
      [' '.repeat(10), /only of spaces/],
      ['e@clinic.example', /your e-mail address/],
      ['password12', /too common/],
    ] as const) {
      test(`rejects the password “${password.slice(0, 20)}” of ${password.length} characters and creates no user`, async () => {
        const argv = ['--email', 'e@clinic.example', '--role', 'admin', '--password-stdin']
        const { code, stderr } = await withInput(service, password, 'user', 'create', ...argv)
        assert.equal(code, 1)
        assert.match(stderr, sentence)
        assert.deepEqual(await user('e@clinic.example'), [])
      })
    }

    test('rejects an existing address in any spelling, and an unknown provider', async () => {
      const taken = await service.daybook('user', 'create', '--email', 'ANA@clinic.example', '--role', 'admin')
      assert.deepEqual(
        [taken.code, taken.stderr],
        [1, 'There is already a user with the address ANA@clinic.example.\n'],
      )
      const argv = ['--email', 'f@clinic.example', '--role', 'provider', '--provider', '99']
      const unknown = await service.daybook('user', 'create', ...argv)
      assert.deepEqual([unknown.code, unknown.stderr], [1, 'There is no provider 99.\n'])
    })

    test('is in the history without its secret, and not in the feed', async () => {
      const rows = await ask(service, "select body from event where type = 'user.created' order by tx, n")
      assert.equal(rows.length, 4)
      const { object } = JSON.parse(String(rows[0]?.body))
      assert.deepEqual(Object.keys(object), ['id', 'email', 'role', 'providerId', 'name', 'status'])
      const { text } = await service.call('GET', '/events/get/', { query: { limit: 500 } })
      assert.doesNotMatch(text, /user\.created/)
    })

    test('user link creates a new link, revokes the previous one, and lifts second factors once it is used', async () => {
      const [before] = await user('Ana@Clinic.Example')
      const id = String(before?.id)
      const codes = () => ask(service, 'select * from recovery_code where person_id = ?', id)
      await ask(service, "insert into recovery_code (hash, person_id, created_at) values ('x', ?, 1)", id)
      const link = (...more: readonly string[]) =>
        service.daybook('user', 'link', '--email', 'ANA@clinic.example', ...more)
      const first = await link()
      assert.match(first.stdout, /^http:\/\/127\.0\.0\.1:\d+\/admin\/set-password#[\w-]{43}\n$/)
      assert.equal((await codes()).length, 1)
      assert.equal((await link('--lift-second-factor')).code, 0)
      assert.equal((await codes()).length, 1)
      const links = await ask(service, 'select * from person_link where person_id = ? and used_at is null', id)
      assert.equal(links.length, 1)
      const unknown = await service.daybook('user', 'link', '--email', 'nobody@clinic.example')
      assert.deepEqual(
        [unknown.code, unknown.stderr],
        [1, 'There is no user with the address nobody@clinic.example.\n'],
      )
    })

    test('user link refuses a disabled user, for whom no link would work', async () => {
      const email = 'b@clinic.example'
      await ask(service, "update person set status = 'disabled' where email = ?", email)
      const { code, stdout, stderr } = await service.daybook('user', 'link', '--email', email)
      assert.deepEqual([code, stdout, stderr], [1, '', 'This user is disabled. Enable the user first.\n'])
    })

    test('reports all errors of a call at once', async () => {
      const { code, stderr } = await service.daybook('user', 'create', '--email', 'nobody', '--provider', 'x')
      assert.equal(code, 2)
      assert.match(stderr, /^--email is needed.*\n--role is needed.*\n--provider must be an id\.\n/)
    })
  })
})

async function ask(service: ServiceProcess, text: string, ...values: readonly string[]): Promise<readonly SqlRow[]> {
  const sql = openSql(service)
  const rows = await sql(text, values)
  await sql.close()
  return rows
}

async function withInput(service: ServiceProcess, input: string, ...argv: readonly string[]): Promise<CommandResult> {
  const place = service.databaseUrl ? ['--database-url', service.databaseUrl] : ['--data-dir', service.dataDir]
  return command([...argv, ...place], process.env, input)
}
