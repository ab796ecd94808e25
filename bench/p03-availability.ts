import { availabilityPath, makeClinic } from './clinic-site.ts'
import { run } from './server.ts'
import { measureShare } from './shares.ts'

const site = await makeClinic(50)
const service = await run(site, site.env)
for (const [providers, bar, scale] of [
  [1, 0.6, 5],
  [50, 0.8, 0.1],
] as const) {
  const path = availabilityPath(site, 'direct', providers)
  const name = `${providers} provider${providers > 1 ? 's' : ''} × 28 days, the same window`
  await measureShare({ figure: 'P3', name, site, service, path, bar, scale })
}
await service.stop()
