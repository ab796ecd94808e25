// Measures the response times of pages, filters and searches in the panel's list of 1,000,000 reservations.
import { insertSignedInUser } from '../test/support/browser-client.ts'
import { openSql } from '../test/support/sql.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { run } from './server.ts'
import { makeSite } from './site.ts'

const past = quick ? 1_000 : 1_000_000
const times = quick ? 1 : 7
const bar = 150
const site = await makeSite({ providers: 50, past })
const server = await run(site)
const sql = openSql({ dataDir: site.dataDir })
const url = `http://${server.host}:${server.port}`
const { browser } = await insertSignedInUser({ server: { url }, sql }, 'manager', {
  lastSeenAt: 4_000_000_000,
  expiresAt: 4_000_000_000,
})

const last = 10_000 / 50
const asked = [
  'per_page=50',
  'per_page=50&sort=-start',
  `per_page=50&page=${last}`,
  `per_page=50&sort=-start&page=${last}`,
  'per_page=500&sort=-start',
  'per_page=50&when=past&sort=-start',
  'per_page=50&when=upcoming',
  'per_page=50&status=confirmed&sort=-start',
  'per_page=50&status=pending',
  'per_page=50&providerId=7&sort=-start',
  `per_page=50&providerId=7&page=${last}`,
  `per_page=50&serviceId=${site.serviceId}&sort=-start`,
  'per_page=50&from=2026-01-01&to=2026-02-01',
  'per_page=50&search=customer',
  'per_page=50&search=customer+17&sort=-start',
  'per_page=50&search=c17%40bench',
  'per_page=50&search=nobody',
  'per_page=50&search=customer&providerId=7&status=confirmed&when=past&sort=-start',
]
const medians: { query: string; median: number; max: number }[] = []
for (const query of asked) {
  const took: number[] = []
  for (let time = 0; time <= times; time += 1) {
    const began = performance.now()
    const { status, text } = await browser.get(`/reservations/?${query}`)
    if (status !== 200) throw new Error(`${query}: ${text}`)
    // The first call is not counted, since its code is compiled while it runs.
    if (time > 0) took.push(performance.now() - began)
  }
  took.sort((one, other) => one - other)
  medians.push({ query, median: took[Math.floor(took.length / 2)] ?? 0, max: took.at(-1) ?? 0 })
}
await sql.close()
await server.stop()
medians.sort((one, other) => other.median - one.median)
console.log(`P23 lists of ${past} reservations`)
for (const { query, median, max } of medians) console.log(`${median.toFixed(1)} ms (${max.toFixed(1)}) ${query}`)
const [slowest] = medians
report({
  figure: 'P23',
  name: 'the slowest of 18 pages, filters and searches in a list of 1,000,000 reservations',
  unit: 'ms',
  value: slowest?.median ?? 0,
  spread: [medians.at(-1)?.median ?? 0, Math.max(...medians.map(({ max }) => max))],
  bar: `<= ${bar}`,
  held: (slowest?.median ?? 0) <= bar,
})
