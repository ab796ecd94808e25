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
  // Each request has another window; the windows differ by seconds, and each includes all slots of the four weeks. The
  // texts of the requests are created in advance, so that the load is as dense as with one repeated text: a server that
  // waits for requests goes to sleep, and waking it costs processor time.
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
