import { answerOf, runBare } from './bare.ts'
import { availabilityPath, makeClinic } from './clinic-site.ts'
import { requestText } from './load.ts'
import { report } from './report.ts'
import { run } from './server.ts'
import { compareCpuTimes, cpuTimesLine } from './shares.ts'

// Compares the processor time of gzipped availability responses with that of the bare server, which sends bytes that
// were compressed in advance. All requests are for the same window.
const bar = 0.45
const site = await makeClinic(50)
const service = await run(site, site.env)
for (const [providers, scale] of [
  [1, 2],
  [50, 0.1],
] as const) {
  const path = availabilityPath(site, 'direct', providers)
  const answer = await answerOf(service, path, site.token)
  const headers = { ...answer.headers, 'content-encoding': 'gzip' }
  const bare = await runBare(site.token, [{ ...answer, headers, packed: true }])
  const text = requestText('GET', path, site.token, { headers: ['Accept-Encoding: gzip'] })
  const [baseline, own] = await compareCpuTimes(
    [
      { name: 'bare', server: bare, next: () => text },
      { name: 'service', server: service, next: () => text },
    ],
    scale,
  )
  await bare.stop()
  if (!baseline || !own) throw new Error('Nothing was measured.')
  const name = `${providers} provider${providers > 1 ? 's' : ''} × 28 days, the same window, gzip`
  const value = baseline.min / own.min
  console.log(`P21 ${name}`)
  console.log(cpuTimesLine('bare', baseline))
  console.log(cpuTimesLine('service', own))
  report({
    figure: 'P21',
    name,
    unit: 'share of bare',
    value,
    spread: [baseline.median / own.max, baseline.median / own.min],
    bar: `>= ${bar}`,
    held: value >= bar,
  })
  if (value < bar) process.exitCode = 1
}
await service.stop()
