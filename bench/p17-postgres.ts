import assert from 'node:assert/strict'
import { emptyDatabase } from '../test/support/databases.ts'
import { freshFolder } from '../test/support/daybook.ts'
import { postgresServer } from '../test/support/postgres.ts'
import { from, until } from './clinic.ts'
import { startClinic } from './clinic-node.ts'
import { requestText } from './load.ts'
import { report } from './report.ts'
import { compareCpuTimes, cpuTimesLine } from './shares.ts'

// Compares the processor time of a cached response about availability on PostgreSQL, in the service and the database
// together, with the processor time on SQLite.
const bar = 1.3
if (await postgresServer()) {
  const database = await emptyDatabase()
  assert.ok('databaseUrl' in database.at)
  const sites = {
    sqlite: await startClinic(['--data-dir', freshFolder()], false),
    postgres: await startClinic(['--database-url', database.at.databaseUrl], true),
  }
  for (const providers of [1, 50]) {
    const [sqlite, postgres] = await compareCpuTimes(
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
    console.log(cpuTimesLine('SQLite', sqlite))
    console.log(cpuTimesLine('PostgreSQL', postgres))
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
