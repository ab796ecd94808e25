import { LoadClients, requestText } from './load.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { run } from './server.ts'
import { makeSite, now, openRaw } from './site.ts'

const future = quick ? 1_000 : 1_000_000
const site = await makeSite({ providers: 50, future })
const query = `min_timestamp=${now}&max_timestamp=${now + 28 * 86_400}&providers=1`
const read = requestText('GET', `/availability/get/?${query}`, site.readToken)

async function firstAnswer(): Promise<number> {
  const since = performance.now()
  const server = await run(site)
  const clients = await LoadClients.open(server, 1)
  await clients.sendRequests(() => read, { milliseconds: 0, minRequests: 1 })
  const milliseconds = performance.now() - since
  clients.close()
  await server.stop()
  return milliseconds
}

/** Reads the rows by which future reservations occupy time once, as filling a cache would; returns the milliseconds. */
function scan(): number {
  const database = openRaw(site.dataDir)
  const since = performance.now()
  const rows = database.prepare('select resource, slot, start_at, end_at from occupancy where end_at > ?')
  rows.setReturnArrays(true)
  let count = 0
  for (const _ of rows.iterate(now)) count += 1
  const milliseconds = performance.now() - since
  database.close()
  if (count !== future) throw new Error(`${count} rows were read of ${future}.`)
  return milliseconds
}

const [starts, scans]: [number[], number[]] = [[], []]
for (let time = 0; time < (quick ? 1 : 4); time += 1) {
  scans.push(scan())
  starts.push(await firstAnswer())
}
const [start, raw] = [Math.min(...starts), Math.min(...scans)]
const bar = 2 * raw + 300
console.log(`P13 start on ${future} future reservations`)
console.log(
  `first answer after ${start.toFixed(0)} ms (at most ${Math.max(...starts).toFixed(0)}), raw scan ${raw.toFixed(0)} ms`,
)
report({
  figure: 'P13',
  name: 'start on 1,000,000 future reservations to the first answer, against twice a raw scan of them and 300 ms',
  unit: 'ms',
  value: start,
  spread: [start, Math.max(...starts)],
  bar: `<= ${bar.toFixed(0)}`,
  held: start <= bar,
})
