import { setTimeout as pause } from 'node:timers/promises'
import { LoadClients, requestText } from './load.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { run } from './server.ts'
import { bookings, makeSite, now, type SiteSize } from './site.ts'

const rows = quick ? 1_000 : 1_000_000
const providers = 50

/**
 * Returns the resident memory of the service, in megabytes, after availability requests and bookings of all providers:
 * the minimum of the ten seconds after the last response, in which the service releases unused memory.
 */
async function held(size: Omit<SiteSize, 'providers'>): Promise<number> {
  const site = await makeSite({ providers, ...size })
  const server = await run(site)
  const clients = await LoadClients.open(server, 4)
  // The bookings begin 330 days ahead, long after the last of the million reservations, so that their slots are free.
  const bodies = bookings(site, 500, 330)
  let asked = 0
  await clients.sendRequests(
    () => {
      const index = asked++
      if (index % 2 === 0)
        return requestText('POST', '/reservations/add/', site.writeToken, { body: bodies[index / 2] ?? '' })
      const query = `min_timestamp=${now}&max_timestamp=${now + 28 * 86_400}&providers=${1 + (Math.floor(index / 2) % providers)}`
      return requestText('GET', `/availability/get/?${query}`, site.readToken)
    },
    { milliseconds: 0, minRequests: quick ? 20 : 1_000 },
  )
  clients.close()
  let min = server.memory()
  for (let look = 0; look < (quick ? 2 : 20); look += 1) {
    await pause(500)
    min = Math.min(min, server.memory())
  }
  await server.stop()
  return min
}

console.log('P12 memory for reservations')
const none = await held({})
for (const [what, size, bar] of [
  ['future', { future: rows }, 100],
  ['past', { past: rows }, 10],
] as const) {
  const megabytes = await held(size)
  const value = megabytes - none
  console.log(`${rows} ${what}: ${megabytes.toFixed(0)} MB, without any: ${none.toFixed(0)} MB`)
  report({
    figure: 'P12',
    name: `memory for 1,000,000 ${what} reservations`,
    unit: 'MB more',
    value,
    spread: [value, value],
    bar: `<= +${bar} MB`,
    held: value <= bar,
  })
}
