import { LoadClients, type NextRequest, requestText } from './load.ts'
import { quick } from './quick.ts'
import { report, reportGrowth } from './report.ts'
import { costLine, defaultRounds, measureCosts } from './request-costs.ts'
import { run } from './server.ts'
import { type BenchSite, bookings, makeSite } from './site.ts'

const bar = 1.1
const sizes = quick ? [0, 100, 1_000] : [0, 10_000, 1_000_000]

const sites = []
for (const past of sizes) sites.push({ past, site: await makeSite({ providers: 50, past }) })
// The connections are opened after all sites exist, since the service closes idle connections.
const kinds = await Promise.all(
  sites.map(async ({ past, site }) => {
    const server = await run(site)
    const clients = await LoadClients.open(server, 20)
    return { name: `${past} past`, server, clients, next: booking(site) }
  }),
)
// The service runs in one process per site, and processes differ slightly in speed. The costs of bookings can therefore
// be compared only over many rounds.
const costs = await measureCosts(kinds, undefined, 3 * defaultRounds)
for (const { clients, server } of kinds) {
  clients.close()
  await server.stop()
}
const [none, some, many] = sizes.map((past) => costs[`${past} past`])
if (!none || !some || !many) throw new Error('A size was not measured.')
console.log('P11 bookings with a long history')
for (const one of [none, some, many]) console.log(costLine(one))
const value = many.min / some.min
report({
  figure: 'P11',
  name: 'a booking with 1,000,000 past reservations against one with 10,000, processor time',
  unit: 'times',
  value,
  spread: [many.min / some.max, many.max / some.min],
  bar: `<= ${bar}`,
  held: value <= bar,
})
reportGrowth({
  figure: 'P11',
  name: 'Cost of a booking with its history',
  x: 'past reservations',
  y: 'µs of processor time',
  points: sizes.map((past, index) => [past, [none, some, many][index]?.min ?? 0] as const),
})

function booking(site: BenchSite): NextRequest {
  const bodies = bookings(site, quick ? 2_000 : 60_000)
  let sent = 0
  return () => {
    const body = bodies[sent++]
    return body === undefined ? undefined : requestText('POST', '/reservations/add/', site.writeToken, { body })
  }
}
