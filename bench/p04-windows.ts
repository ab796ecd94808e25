import { from, until } from './clinic.ts'
import { availabilityPath, makeClinic } from './clinic-site.ts'
import { requestText } from './load.ts'
import { run } from './server.ts'
import { measureShare } from './shares.ts'

const windows = 20_000
const site = await makeClinic(50)
const service = await run(site, site.env)
for (const [providers, bar, scale] of [
  [1, 0.45, 5],
  [50, 0.65, 0.1],
] as const) {
  // The windows of successive requests differ by seconds, and each includes all slots of the four weeks. The requests
  // are prepared in advance, so that they are sent as fast as one repeated text: a server that sleeps between requests
  // pays for waking up.
  const texts = Array.from({ length: windows }, (_, moved) => {
    const window = { from: from - moved, until: until + (moved % 7_000) }
    return requestText('GET', availabilityPath(site, 'direct', providers, window), site.token)
  })
  let asked = 0
  const next = () => texts[asked++ % windows] ?? ''
  const path = availabilityPath(site, 'direct', providers)
  const name = `${providers} provider${providers > 1 ? 's' : ''} × 28 days, another window every request`
  await measureShare({ figure: 'P4', name, site, service, path, next, bar, scale })
}
await service.stop()
