import assert from 'node:assert/strict'
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { insertSignedInUser } from '../support/browser-client.ts'
import { ana, now, standardSite } from '../support/clinic.ts'
import { proved } from '../support/proof.ts'
import { scaled } from '../support/scale.ts'
import { eachDatabase, type ServiceProcess } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const canary = 'Zaunkoenig'
const people = scaled(150)

eachDatabase((kind, open) => {
  let service: ServiceProcess
  let sql: Sql
  before(async () => {
    service = await open({ site: standardSite, now })
    sql = openSql(service)
  })
  after(() => sql.close())

  test('after the documented step no byte of the database contains data of an erased customer', async (t) => {
    const { browser } = await insertSignedInUser({ server: service, sql }, 'admin')
    // Customers to be erased alternate with others, so that pages of the database are split and merged.
    const ids: string[] = []
    for (let n = 0; n < people; n++) {
      for (const name of [`${canary} ${n}`, `Other ${n}`]) {
        const body = { name, email: `${name.replace(' ', '.')}@list.example`, phone: '+49 30 1234567', language: 'de' }
        const { status, body: made } = await service.call('POST', '/customers/add/', {
          body,
          query: { createUser: n % 9 === 0 },
        })
        assert.equal(status, 201)
        if (name.startsWith(canary)) ids.push(made.id)
      }
    }
    await book(ids.slice(0, 10))
    for (const id of ids) {
      await browser.post('/customers/edit/', { id, name: `${canary} ${canary} ${canary} changed` })
      await browser.post('/customers/notes/add/', { customerId: id, text: `${canary} `.repeat(40) })
    }
    // PostgreSQL's statistics contain names of customers. The test does not wait until autovacuum analyzes the tables.
    if (kind === 'postgres') await sql('analyze')
    for (const [n, id] of ids.entries()) {
      if (n % 3 === 0 && n >= 10) await service.call('POST', '/customers/remove/', { query: { id } })
      const { status, text } = await browser.post('/customers/erase/', { id })
      assert.equal(status, 200, text)
    }
    const files = kind === 'sqlite' ? await stoppedFiles() : await vacuumedFiles()
    if (!files) return t.skip('the files of this PostgreSQL server are elsewhere')
    const found = files.filter((file) => mentions(file, canary) || mentions(file, canary.toLowerCase()))
    proved(t, `erasure on ${kind}`, { erased: ids.length, files: files.length, 'files that name them': found.length })
    assert.ok(
      files.some((file) => mentions(file, 'Other 1')),
      'who was not erased is there',
    )
    assert.deepEqual(found, [])
  })

  async function book(customerIds: readonly string[]): Promise<void> {
    const query = { min_timestamp: now, max_timestamp: now + 14 * 86_400, providers: ana }
    const { body } = await service.call('GET', '/availability/get/', { query })
    for (const [n, customerId] of customerIds.entries()) {
      const found = body.response[n * 40]
      assert.ok(found)
      const { availabilityId, serviceId, providerId, start, end } = found
      const slot = { availabilityId, serviceId, providerId, start, end }
      const made = await service.call('POST', '/reservations/add/', {
        body: { ...slot, customerId, data: { wish: canary } },
      })
      assert.equal(made.status, 200, made.text)
      await service.call('POST', '/reservations/edit/', { body: { id: made.body.id, status: 'cancelled' } })
    }
  }

  /**
   * Runs the documented steps on SQLite: stops the service, then runs `daybook vacuum`. Checks that the command names a
   * backup that remains. Returns the paths of all files in the data directory.
   */
  async function stoppedFiles(): Promise<string[]> {
    // When the last connection closes, SQLite checkpoints the WAL and removes its file.
    await sql.close()
    assert.equal(await service.stop(), 0)
    const backup = join(service.dataDir, 'backup.db')
    assert.doesNotMatch((await service.daybook('vacuum')).stdout, /backup\.db/)
    writeFileSync(backup, '')
    const { code, stdout } = await service.daybook('vacuum')
    rmSync(backup)
    assert.equal(code, 0)
    assert.ok(stdout.includes(`${backup} still holds what was erased`), stdout)
    return globSync('**/*', { cwd: service.dataDir })
      .map((file) => join(service.dataDir, file))
      .filter((file) => statSync(file).isFile())
  }

  /**
   * Runs the documented step on PostgreSQL, `daybook vacuum`; returns the paths of the database files, or undefined
   * where they cannot be read.
   */
  async function vacuumedFiles(): Promise<string[] | undefined> {
    const { code, stderr } = await service.daybook('vacuum')
    assert.equal(code, 0, stderr)
    await sql('checkpoint')
    const [row] = await sql(`select current_setting('data_directory') || '/base/' || oid as folder
      from pg_database where datname = current_database()`)
    const folder = String(row?.folder)
    const files = globSync('*', { cwd: folder }).map((file) => join(folder, file))
    return files.length > 0 ? files : undefined
  }
})

function mentions(file: string, text: string): boolean {
  return readFileSync(file).includes(text)
}
