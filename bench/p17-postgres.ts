import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyDatabase } from '../test/support/databases.ts'
import { command, freshFolder, serve } from '../test/support/daybook.ts'
import { postgresServer } from '../test/support/postgres.ts'
import { from, now, until } from './clinic.ts'
import { siteFile } from './clinic-site.ts'
import { requestText } from './load.ts'
import { report } from './report.ts'
import { observe, type Running } from './server.ts'
import { contest, spentLine } from './shares.ts'

// A warm read on PostgreSQL, processor time of the service and of the database, against the same on SQLite.
const bar = 1.3
if (await postgresServer()) {
  const database = await emptyDatabase()
  assert.ok('databaseUrl' in database.at)
  const sites = {
    sqlite: await start(['--data-dir', freshFolder()], false),
    postgres: await start(['--database-url', database.at.databaseUrl], true),
  }
  for (const providers of [1, 50]) {
    const [sqlite, postgres] = await contest(
      [sites.sqlite, sites.postgres].map(({ service, token, serviceId }) => {
        const listed = Array.from({ length: providers }, (_, index) => index + 1)
        const path = `/availability/get/?min_timestamp=${from}&max_timestamp=${until}&services=${serviceId}&providers=${listed}`
        const text = requestText('GET', path, token)
        return { name: '', server: service, next: () => text }
      }),
      providers === 1 ? 1 : 0.1,
    )
    if (!sqlite || !postgres) throw new Error('Nothing was measured.')
    const name = `a warm read on PostgreSQL against SQLite, ${providers} provider${providers > 1 ? 's' : ''} × 28 days`
    const value = postgres.min / sqlite.min
    console.log(`P17 ${name}`)
    console.log(spentLine('SQLite', sqlite))
    console.log(spentLine('PostgreSQL', postgres))
    report({
      figure: 'P17',
      name,
      unit: 'times',
      value,
      spread: [postgres.median / sqlite.median, postgres.max / sqlite.min],
      bar: `<= ${bar}`,
      held: value <= bar,
    })
    if (value > bar) process.exitCode = 1
  }
  for (const { service } of Object.values(sites)) await service.stop()
  await database.remove()
} else console.log('P17 was not measured: PostgreSQL is not installed.')

async function start(place: readonly string[], counted: boolean) {
  const env = { ...process.env, DAYBOOK_NOW: String(now) }
  const daybook = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await command([...args, ...place], env)
    assert.equal(code, 0, stderr)
    return stdout.trim()
  }
  const file = join(freshFolder(), 'site.json')
  writeFileSync(file, JSON.stringify(siteFile(50)))
  await daybook('apply', file)
  const token = await daybook('token', 'create', '--name', 'bench', '--scope', 'write')
  const { child, url } = await serve([...place], env)
  const { hostname, port } = new URL(url)
  const own = observe(child, { host: hostname, port: Number(port) })
  const service: Running = counted
    ? { ...own, cpu: async () => new Map([...(await own.cpu()), ...postgresTime()]) }
    : own
  const answer = await fetch(`${url}/api/v1/services/get/`, { headers: { Authorization: `Bearer ${token}` } })
  const { response } = (await answer.json()) as { response: { id: string; name: string }[] }
  const serviceId = response.find(({ name }) => name === 'Check-up')?.id
  assert.ok(serviceId)
  return { service, token, serviceId }
}

/** Milliseconds of processor time of every PostgreSQL process on this machine. */
function postgresTime(): [string, number][] {
  return readdirSync('/proc').flatMap((pid): [string, number][] => {
    if (!/^\d+$/.test(pid)) return []
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return []
      return [[`postgres ${pid}`, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6]]
    } catch {
      // It ended meanwhile.
      return []
    }
  })
}
