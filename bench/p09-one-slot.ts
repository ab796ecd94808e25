import assert from 'node:assert/strict'
import { LoadClients, requestText } from './load.ts'
import { report } from './report.ts'
import { costLine, measureCosts } from './request-costs.ts'
import { run } from './server.ts'
import { bookings, makeSite, now } from './site.ts'

const bar = 1.5
const site = await makeSite({ providers: 1 })
const server = await run(site)
const clients = await LoadClients.open(server, 100)
const [wanted = ''] = bookings(site, 1)
let asked = 0
const book = (): string => {
  const customerId = site.customerIds[asked++ % site.customerIds.length]
  return requestText('POST', '/reservations/add/', site.writeToken, {
    body: JSON.stringify({ ...JSON.parse(wanted), customerId }),
  })
}
// The window of the reads: one day of one provider, 96 slots in 24 KB.
const day = `min_timestamp=${now + 86_400}&max_timestamp=${now + 2 * 86_400}`
const read = requestText('GET', `/availability/get/?${day}&services=${site.serviceId}`, site.readToken)

let left = 100
const race = await clients.sendRequests(() => (left-- > 0 ? book() : undefined), {
  milliseconds: 60_000,
  minRequests: 100,
})
assert.deepEqual(Object.fromEntries(race.answers), { 200: 1, 403: 99 })

const { loser, reader } = await measureCosts([
  { name: 'loser', server, clients, next: book },
  { name: 'reader', server, clients, next: () => read },
])
clients.close()
await server.stop()
assert.deepEqual([...loser.answers.keys()], [403])
const value = loser.min / reader.min
console.log('P9  100 clients, one slot: one booked it, 99 were told that it is full')
console.log(costLine(loser))
console.log(costLine(reader))
report({
  figure: 'P9',
  name: 'a refused booking against a read of one day of one provider (24 KB), processor time',
  unit: 'times',
  value,
  spread: [loser.min / reader.max, loser.max / reader.min],
  bar: `<= ${bar}`,
  held: value <= bar,
})
