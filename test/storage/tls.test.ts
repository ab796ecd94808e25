import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type CommandResult, command, endProcess, freshFolder, serve } from '../support/daybook.ts'
import { pause } from '../support/pause.ts'
import { administer, hasPostgres, ownerOfPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const openssl = '/usr/bin/openssl'
const untrusted =
  /^The certificate of PostgreSQL was issued by an authority that is not trusted; name its file as sslrootcert in --database-url\.$/m
const ownNames = 'subjectAltName=DNS:localhost,IP:127.0.0.1'

describe('the connection to PostgreSQL over TLS', { skip: unable() }, () => {
  let server: PostgresServer
  let certificate: string
  before(async () => {
    const started = await startPostgres()
    assert.ok(started)
    server = started
    certificate = newCertificate(ownNames)
    await useCertificate(server, certificate)
  })
  after(() => server?.stop())

  const urlOf = (authority: string, host = 'localhost'): string => {
    const url = new URL(server.url)
    url.hostname = host
    url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: authority }).toString()
    return url.href
  }
  const withUrl = (url: string): NodeJS.ProcessEnv => ({ ...process.env, DAYBOOK_DATABASE_URL: url })
  const listTokens = (url: string): Promise<CommandResult> => command(['token', 'list'], withUrl(url))

  for (const host of ['localhost', '127.0.0.1'])
    test(`of a service is encrypted when the certificate is that of ${host}`, async (t) => {
      const { child } = await serve([], withUrl(urlOf(certificate, host)))
      t.after(() => endProcess(child, 'SIGKILL'))
      const watcher = new pg.Client(server.url)
      await watcher.connect()
      t.after(() => watcher.end())
      const { rows } = await watcher.query(
        `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
         where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      assert.deepEqual(rows, [{ ssl: true }])
      assert.equal(await endProcess(child, 'SIGTERM'), 0)
    })

  test('is refused when another authority issued the certificate', async () => {
    const other = newCertificate(ownNames)
    const { code, stderr } = await listTokens(urlOf(other))
    assert.equal(code, 1)
    assert.match(stderr, untrusted)
    await assert.rejects(serve([], withUrl(urlOf(other))), untrusted)
  })

  test('is refused when the certificate is that of another host', async (t) => {
    const other = newCertificate('subjectAltName=DNS:other.example')
    t.after(() => useCertificate(server, certificate))
    await useCertificate(server, other)
    const { code, stderr } = await listTokens(urlOf(other))
    assert.equal(code, 1)
    assert.match(stderr, /^The certificate of PostgreSQL is not for the host in --database-url\.$/m)
  })

  test('that a running service cannot verify any more is answered 503, and used once it can', async (t) => {
    const { child, url } = await serve([], withUrl(urlOf(certificate)))
    t.after(() => endProcess(child, 'SIGKILL'))
    const created = await command(['token', 'create', '--name', 'test', '--scope', 'read'], withUrl(urlOf(certificate)))
    const headers = { Authorization: `Bearer ${created.stdout.trim()}` }
    const list = () => fetch(`${url}/api/v1/services/get/`, { headers })
    assert.equal((await list()).status, 200)
    await useCertificate(server, newCertificate(ownNames))
    t.after(() => useCertificate(server, certificate))
    await administer(
      server,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    const refused = await list()
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'], await refused.text())
    await useCertificate(server, certificate)
    while ((await list()).status !== 200) await pause()
  })
})

/** Creates a self-signed certificate with a subject alternative name, and returns its path; the key is beside it. */
function newCertificate(extension: string): string {
  const folder = freshFolder()
  const certificate = join(folder, 'certificate.pem')
  const files = ['-keyout', keyOf(certificate), '-out', certificate]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync(openssl, ['req', '-x509', ...curve, ...files, '-days', '2', '-subj', '/CN=test', '-addext', extension], {
    stdio: 'ignore',
  })
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [folder, certificate, keyOf(certificate)]) chownSync(path, ...ownerOfPostgres())
  return certificate
}

function keyOf(certificate: string): string {
  return join(dirname(certificate), 'key.pem')
}

/** Resolves when new sessions of the server use the certificate. */
async function useCertificate(server: PostgresServer, certificate: string): Promise<void> {
  await administer(
    server,
    `alter system set ssl_cert_file = '${certificate}'`,
    `alter system set ssl_key_file = '${keyOf(certificate)}'`,
    'alter system set ssl = on',
    'select pg_reload_conf()',
  )
  while (!(await isUsed(server, certificate))) await pause()
}

async function isUsed(server: PostgresServer, certificate: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: `${server.url}?sslmode=verify-full&sslrootcert=${certificate}` })
  client.on('error', () => {})
  return client.connect().then(
    () => client.end().then(() => true),
    // The names of a certificate are compared after its authority.
    (error: NodeJS.ErrnoException) => error.code === 'ERR_TLS_CERT_ALTNAME_INVALID',
  )
}

function unable(): string | false {
  if (!hasPostgres()) return 'PostgreSQL is not installed'
  return existsSync(openssl) ? false : 'openssl is not installed'
}
