import { answerOf, runBare } from './bare.ts'
import { availabilityPath, type ClinicService, makeClinic } from './clinic-site.ts'
import { Clients, requestText } from './load.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { type Running, run } from './server.ts'
import { type Spent, spentLine } from './shares.ts'

const providers = 50
const warm = quick ? 3 : 150
const rounds = quick ? { times: 2, reads: 2 } : { times: 12, reads: 10 }

const site = await makeClinic(providers)
const service = await run(site, site.env)

for (const booked of ['direct', 'pool'] as const) {
  const path = availabilityPath(site, booked, providers)
  const answer = await answerOf(service, path, site.token)
  const bare = await runBare(site.dataDir, [answer])
  const [own, yardstick] = [await reader(service, path, booked), await reader(bare, path)]
  for (const read of [own, yardstick]) await read(warm)
  const taken = { own: [] as number[], bare: [] as number[] }
  for (let time = 0; time < rounds.times; time += 1) {
    taken.own.push(await own(rounds.reads))
    taken.bare.push(await yardstick(rounds.reads))
  }
  await bare.stop()
  const size = `${Math.round(answer.body.length / 1000)} KB`
  const [mine, theirs] = [spent(taken.own), spent(taken.bare)]
  console.log(`P5  ${booked}, ${providers} providers × 28 days, ${size}, one booking before every read`)
  console.log(spentLine('bare', theirs))
  console.log(spentLine('service', mine))
  const direct = booked === 'direct'
  const value = direct ? theirs.least / mine.least : mine.least / 1000
  const held = direct ? value >= 0.4 : value <= 2
  report({
    figure: 'P5',
    name: `${booked}, ${providers} providers × 28 days, ${size}, one booking before every read`,
    unit: direct ? 'share of bare' : 'ms of processor time',
    value,
    spread: direct ? [theirs.median / mine.most, theirs.median / mine.least] : [mine.least / 1000, mine.most / 1000],
    bar: direct ? '>= 0.40' : '<= 2 ms',
    held,
  })
  if (!held) process.exitCode = 1
}
await service.stop()

/** Microseconds that a read takes of the server, over so many of them; before each something is booked, if anything is. */
async function reader(
  server: Running,
  path: string,
  booked?: ClinicService,
): Promise<(reads: number) => Promise<number>> {
  const clients = await Clients.open(server, 1)
  const once = async (text: string): Promise<void> => {
    const { answers } = await clients.ask(() => text, { milliseconds: 0, least: 1 })
    if (!answers.has(200)) throw new Error(`Answered ${[...answers.keys()].join(', ')}.`)
  }
  const read = requestText('GET', path, site.token)
  const slots: string[] = []
  return async (reads) => {
    let taken = 0
    for (let count = 0; count < reads; count += 1) {
      if (booked && slots.length === 0) slots.push(...(await bookings(booked)))
      const body = slots.pop()
      if (body !== undefined) await once(requestText('POST', '/reservations/add/', site.token, body))
      const before = total(server)
      await once(read)
      taken += total(server) - before
    }
    return (taken * 1000) / reads
  }
}

/** Bookings of slots now on offer, each of another time or provider. */
async function bookings(of: ClinicService): Promise<string[]> {
  const { body } = await answerOf(service, availabilityPath(site, of, providers), site.token)
  const { response }: { response: Slot[] } = JSON.parse(body)
  // Far from each other, so that none takes another's time.
  const chosen = response.filter((_, index) => index % Math.max(1, Math.floor(response.length / 100)) === 0)
  return chosen.map(({ availabilityId, serviceId, providerId, start, end }) =>
    JSON.stringify({ availabilityId, serviceId, providerId, start, end, customerId: site.customerId }),
  )
}

interface Slot {
  readonly availabilityId: string
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
}

function total(server: Running): number {
  let sum = 0
  for (const time of server.cpu().values()) sum += time
  return sum
}

function spent(taken: readonly number[]): Spent {
  const sorted = [...taken].sort((one, other) => one - other)
  return { least: sorted[0] ?? 0, median: sorted[Math.floor(sorted.length / 2)] ?? 0, most: sorted.at(-1) ?? 0 }
}
