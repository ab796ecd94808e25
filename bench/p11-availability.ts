import { requestText } from './load.ts'
import { report } from './report.ts'
import { run } from './server.ts'
import { compareCpuTimes, cpuTimesLine } from './shares.ts'
import { type BenchSite, makeSite, now } from './site.ts'

const bar = 1.05
const providers = 50
const [few, many] = [await opened(10_000), await opened(1_000_000)]

for (const [kept, scale] of [
  ['cached', 5],
  ['uncached', 0.5],
] as const) {
  const env = kept === 'cached' ? {} : { DAYBOOK_AVAILABILITY_MEMORY: '0' }
  const [small, large] = [await run(few, env), await run(many, env)]
  const asking = (site: BenchSite) => {
    const window = `min_timestamp=${now}&max_timestamp=${now + 7 * 86_400}`
    const text = requestText(
      'GET',
      `/availability/get/?${window}&services=${site.serviceId}&providers=7`,
      site.readToken,
    )
    return () => text
  }
  const [less, more] = await compareCpuTimes(
    [
      { name: '10,000', server: small, next: asking(few) },
      { name: '1,000,000', server: large, next: asking(many) },
    ],
    scale,
  )
  await small.stop()
  await large.stop()
  if (!less || !more) break
  const value = more.min / less.min
  const name = `availability with 1,000,000 past reservations against 10,000, ${kept}`
  console.log(`P11  ${name}`)
  console.log(cpuTimesLine('10,000', less))
  console.log(cpuTimesLine('1,000,000', more))
  console.log(`ratio ${value.toFixed(3)} (bar: at most ${bar})`)
  const spread = [more.min / less.median, more.median / less.min] as const
  report({ figure: 'P11', name, unit: 'of the cost', value, spread, bar: `<= ${bar}`, held: value <= bar })
  if (value > bar) process.exitCode = 1
}

function opened(past: number): Promise<BenchSite> {
  return makeSite({ providers, past, future: 5_000 })
}
