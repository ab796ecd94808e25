import { answerOf, runBare } from './bare.ts'
import { availabilityPath, makeClinic } from './clinic-site.ts'
import { requestText } from './load.ts'
import { report } from './report.ts'
import { run } from './server.ts'
import { contest, spentLine } from './shares.ts'

// The same window for a client that accepts gzip, against a bare server that sends bytes compressed beforehand.
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
  const [yardstick, own] = await contest(
    [
      { name: 'bare', server: bare, next: () => text },
      { name: 'service', server: service, next: () => text },
    ],
    scale,
  )
  await bare.stop()
  if (!yardstick || !own) throw new Error('Nothing was measured.')
  const name = `${providers} provider${providers > 1 ? 's' : ''} × 28 days, the same window, gzip`
  const value = yardstick.min / own.min
  console.log(`P21 ${name}`)
  console.log(spentLine('bare', yardstick))
  console.log(spentLine('service', own))
  report({
    figure: 'P21',
    name,
    unit: 'share of bare',
    value,
    spread: [yardstick.median / own.max, yardstick.median / own.min],
    bar: `>= ${bar}`,
    held: value >= bar,
  })
  if (value < bar) process.exitCode = 1
}
await service.stop()
