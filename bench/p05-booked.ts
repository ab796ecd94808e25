import type { AvailableSlot } from '../test/support/test-site.ts'
import { answerOf, runBare } from './bare.ts'
import { availabilityPath, type ClinicService, makeClinic } from './clinic-site.ts'
import { LoadClients, requestText } from './load.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { type RunningServer, run } from './server.ts'
import { type CpuTimes, cpuTimesLine, cpuTimesOf } from './shares.ts'

const providers = 50
const warm = quick ? 1 : 40
const rounds = quick ? 2 : 120
// The number of bookings in a round, each followed by a read. The bookings are removed after the round, so that every
// response has the same length.
const reads = quick ? 2 : 20

const site = await makeClinic(providers)
const service = await run(site, site.env)
const clients = await LoadClients.open(service, 1)

for (const booked of ['direct', 'pool'] as const) {
  const path = availabilityPath(site, booked, providers)
  const answer = await answerOf(service, path, site.token)
  const bare = await runBare(site.token, [answer])
  const baseline = await LoadClients.open(bare, 1)
  const read = requestText('GET', path, site.token)
  const taken = { both: [] as number[], apart: [] as number[], bare: [] as number[] }
  for (let round = 0; round < warm + rounds; round += 1) {
    const wanted = await bookings(booked)
    // The first measurement sends a read to the service after each booking, the second sends the read to the bare
    // server. The difference between the service's CPU times is the cost of its reads. A read follows its booking
    // without a pause, because code that has not run for milliseconds takes three times as long.
    const both = await measured(wanted, clients, read)
    const apart = await measured(wanted, baseline, read, bare)
    if (round < warm) continue
    taken.both.push(both.service)
    taken.apart.push(apart.service)
    taken.bare.push(apart.other)
  }
  baseline.close()
  await bare.stop()
  const size = `${Math.round(answer.body.length / 1000)} KB`
  const [mine, theirs] = [more(cpuTimesOf(taken.both), cpuTimesOf(taken.apart)), cpuTimesOf(taken.bare)]
  console.log(`P5  ${booked}, ${providers} providers × 28 days, ${size}, one booking before every read`)
  console.log(cpuTimesLine('bare', theirs))
  console.log(cpuTimesLine('service', mine))
  const direct = booked === 'direct'
  const value = direct ? theirs.min / mine.min : mine.min / 1000
  const held = direct ? value >= 0.25 : value <= 2
  report({
    figure: 'P5',
    name: `${booked}, ${providers} providers × 28 days, ${size}, one booking before every read`,
    unit: direct ? 'share of bare' : 'ms of processor time',
    value,
    spread: direct ? [theirs.median / mine.max, theirs.median / mine.min] : [mine.min / 1000, mine.max / 1000],
    bar: direct ? '>= 0.25' : '<= 2 ms',
    held,
  })
  if (!held) process.exitCode = 1
}
clients.close()
await service.stop()

/**
 * Makes bookings and sends the request `read` after each of them, then removes the bookings. Returns the CPU
 * microseconds of the service and of the server `other` per booking with its read.
 */
async function measured(
  wanted: readonly string[],
  readers: LoadClients,
  read: string,
  other?: RunningServer,
): Promise<{ service: number; other: number }> {
  const before = { service: await total(service), other: other ? await total(other) : 0 }
  const made: string[] = []
  for (const body of wanted) {
    made.push(await post('/reservations/add/', body))
    await once(readers, read)
  }
  const after = { service: await total(service), other: other ? await total(other) : 0 }
  for (const id of made) await post(`/reservations/remove/?id=${id}`)
  await once(clients, read)
  const each = (name: 'service' | 'other') => ((after[name] - before[name]) * 1000) / wanted.length
  return { service: each('service'), other: each('other') }
}

/** Sends a POST request to the service and returns the id in the response; empty when the response has none. */
async function post(path: string, body = ''): Promise<string> {
  const answer = await fetch(`http://${service.host}:${service.port}/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${site.token}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body }),
  })
  if (answer.status !== 200) throw new Error(`${answer.status} for ${path}`)
  return /"id":"([^"]+)"/.exec(await answer.text())?.[1] ?? ''
}

async function once(asker: LoadClients, text: string): Promise<void> {
  const { answers } = await asker.sendRequests(() => text, { milliseconds: 0, minRequests: 1 })
  if (!answers.has(200)) throw new Error(`Answered ${[...answers.keys()].join(', ')}.`)
}

/** Returns the request bodies of bookings of available slots, each at another time or provider. */
async function bookings(of: ClinicService): Promise<readonly string[]> {
  const { body } = await answerOf(service, availabilityPath(site, of, providers), site.token)
  const { response }: { response: AvailableSlot[] } = JSON.parse(body)
  // The slots are spread evenly over the list of available slots, so that the bookings do not overlap.
  const apart = Math.max(1, Math.floor(response.length / reads))
  return response
    .filter((_, index) => index % apart === 0)
    .slice(0, reads)
    .map(({ availabilityId, serviceId, providerId, start, end }) =>
      JSON.stringify({ availabilityId, serviceId, providerId, start, end, customerId: site.customerId }),
    )
}

async function total(server: RunningServer): Promise<number> {
  let sum = 0
  for (const time of (await server.cpu()).values()) sum += time
  return sum
}

/**
 * Returns the differences of two measurements, in microseconds. `max` is the largest possible difference: the maximum
 * of `one` less the minimum of `other`.
 */
function more(one: CpuTimes, other: CpuTimes): CpuTimes {
  return { min: one.min - other.min, median: one.median - other.median, max: one.max - other.min }
}
