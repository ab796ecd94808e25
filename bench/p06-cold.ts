import { availabilityPath, makeClinic } from './clinic-site.ts'
import { run } from './server.ts'
import { measureShare } from './shares.ts'

// Without a cache: each response is read from the database, computed and serialised.
const site = await makeClinic(50)
const service = await run(site, { ...site.env, DAYBOOK_AVAILABILITY_MEMORY: '0' })
const path = availabilityPath(site, 'direct', 1)
await measureShare({
  figure: 'P6',
  name: '1 provider × 28 days, uncached',
  site,
  service,
  path,
  bar: 0.4,
  scale: 0.5,
})
await service.stop()
