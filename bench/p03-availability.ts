import { answerOf, runBare } from './bare.ts'
import { availabilityPath, makeClinic } from './clinic-site.ts'
import { Clients, requestText } from './load.ts'
import { report } from './report.ts'
import { costLine, rounds } from './rounds.ts'
import { run } from './server.ts'

const connections = 8
const site = await makeClinic(50)
const service = await run(site, site.env)
for (const { providers, bar } of [
  { providers: 1, bar: 0.8 },
  { providers: 50, bar: 0.85 },
]) {
  const path = availabilityPath(site, 'direct', providers)
  const answer = await answerOf(service, path, site.token)
  const bare = await runBare(site.dataDir, [answer])
  const next = () => requestText('GET', path, site.token)
  const kind = async (name: 'bare' | 'service', server: typeof bare) => {
    return { name, server, next, clients: await Clients.open(server, connections) }
  }
  const kinds = [await kind('bare', bare), await kind('service', service)]
  const costs = await rounds(kinds, { times: 20, milliseconds: 250 })
  for (const { clients } of kinds) clients.close()
  await bare.stop()
  const share = costs.bare.least / costs.service.least
  const size = Math.round(answer.body.length / 1000)
  console.log(`P3  ${providers} provider(s), 28 days, ${size} KB, nothing changed, the same window`)
  console.log(costLine(costs.bare))
  console.log(costLine(costs.service))
  console.log(`share of bare ${share.toFixed(2)} (bar: at least ${bar})`)
  report({
    figure: 'P3',
    name: `availability of ${providers} provider(s), ${size} KB, nothing changed`,
    unit: 'share of bare',
    value: share,
    spread: [costs.bare.least / costs.service.most, costs.bare.most / costs.service.least],
    bar: `>= ${bar.toFixed(2)}`,
    held: share >= bar,
  })
  if (share < bar) process.exitCode = 1
}
await service.stop()
