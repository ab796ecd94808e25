import { LoadClients, requestText } from './load.ts'
import { loopDelay } from './metrics.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { run } from './server.ts'
import { makeSite, now, openRaw } from './site.ts'

const rows = quick ? 2_000 : 100_000
const bars = { cost: 1.5, late: 20 }
const site = await makeSite({ providers: 50, future: rows })
const database = openRaw(site.dataDir)
const raw = database.prepare(`
  select json_group_array(json_object('id', id, 'serviceId', service_id, 'customerId', customer_id, 'providerId',
    provider_id, 'availabilityId', availability_id, 'start', start_at, 'end', end_at, 'status', status)) as list
  from (select * from reservation where end_at > ? order by start_at, id)`)

const server = await run(site)
const clients = await LoadClients.open(server, 1)
const list = requestText('GET', '/reservations/get/', site.readToken)
const once = { milliseconds: 0, minRequests: 1 }
const taken: { raw: number; listed: number; late: number }[] = []
for (let time = 0; time < (quick ? 2 : 10); time += 1) {
  const begun = process.threadCpuUsage()
  const bytes = Buffer.byteLength(String(raw.get(now)?.list))
  const { user, system } = process.threadCpuUsage(begun)
  if (bytes < rows * 200) throw new Error('The list is too short.')
  await loopDelay(server)
  const before = total(await server.cpu())
  const { answers } = await clients.sendRequests(() => list, once)
  if (answers.get(200) !== 1) throw new Error('The list was refused.')
  // Except with `--quick`, the first two lists are not counted, since their code is compiled while they run.
  const listed = total(await server.cpu()) - before
  const late = await loopDelay(server)
  if (time >= 2 || quick) taken.push({ raw: (user + system) / 1000, listed, late })
}
clients.close()
await server.stop()
database.close()

const min = { raw: minOf('raw'), listed: minOf('listed'), late: minOf('late') }
const value = min.listed / min.raw
console.log(`P14 a list of ${rows} reservations`)
for (const one of taken)
  console.log(`raw ${one.raw.toFixed(0)} ms, served ${one.listed.toFixed(0)} ms, loop ${one.late.toFixed(1)} ms late`)
report({
  figure: 'P14',
  name: 'listing 100,000 reservations against raw json_group_array, processor time',
  unit: 'times',
  value,
  spread: [min.listed / maxOf('raw'), maxOf('listed') / min.raw],
  bar: `<= ${bars.cost}`,
  held: value <= bars.cost,
})
report({
  figure: 'P14',
  name: 'event loop delay meanwhile, 99th percentile, best round',
  unit: 'ms',
  value: min.late,
  spread: [min.late, maxOf('late')],
  bar: `<= ${bars.late}`,
  held: min.late <= bars.late,
})

type Measured = keyof (typeof taken)[number]

function minOf(name: Measured): number {
  return Math.min(...taken.map((one) => one[name]))
}

function maxOf(name: Measured): number {
  return Math.max(...taken.map((one) => one[name]))
}

function total(threads: ReadonlyMap<string, number>): number {
  return [...threads.values()].reduce((sum, time) => sum + time, 0)
}
