import { execFileSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolder } from '../test/support/daybook.ts'
import { LoadClients, type NextRequest, requestText } from './load.ts'
import { quick } from './quick.ts'
import { RawBookings, statementsOf } from './raw-bookings.ts'
import { report } from './report.ts'
import { costLine, defaultRounds, measureCosts, type RequestCost } from './request-costs.ts'
import { run } from './server.ts'
import { type BenchSite, bookings, makeSite } from './site.ts'
import { slowDisk } from './slow-sync.ts'

const connections = 50
const atOnce = 50
const counts = quick
  ? { sent: 2_000, before: 50, raw: 200, oneByOne: 50 }
  : { sent: 240_000, before: 4_000, raw: 2_000, oneByOne: 400 }

const site = await makeSite({ providers: 50 })
// A copy of the database without bookings. On this copy, the recorded SQL statements are executed without the service.
const untouched = { dataDir: freshFolder() }
copyFileSync(join(site.dataDir, 'daybook.db'), join(untouched.dataDir, 'daybook.db'))
const statements = await statementsOf(site, bookings(site, counts.before + counts.raw * (defaultRounds + 1)))
await againstRaw()
const slow = slowDisk(1000)
if (slow) await againstOneCommit(slow)

/**
 * Compares bookings over HTTP with their SQL statements executed without the service (raw), by the CPU time of the
 * busiest thread, which bounds bookings per second.
 */
async function againstRaw(): Promise<void> {
  const raw = new RawBookings(untouched, statements)
  // Before the measurement, `raw` makes about as many bookings as the service makes in its warm-up, since the cost of a
  // booking depends on the number of bookings before it.
  raw.round(counts.before, atOnce)
  const taken: { cpu: number; rate: number }[] = []
  const booking = await booked(site, {}, () => {
    const { total, seconds, cpu } = raw.round(counts.raw, atOnce)
    if (total > 0) taken.push({ cpu, rate: total / seconds })
  })
  raw.close()
  const costs = taken.map(({ cpu }) => cpu).sort((one, other) => one - other)
  const rate = Math.max(...taken.map((one) => one.rate))
  const [min = 0] = costs
  const value = min / booking.busiest
  console.log(`P8  durable bookings, ${connections} connections`)
  console.log(costLine(booking))
  console.log(`raw, ${atOnce} a commit                  ${min.toFixed(1)} µs, ${rate.toFixed(0)} a second`)
  console.log(`by the clock, for comparison: ${(booking.rate / rate).toFixed(2)} of raw`)
  report({
    figure: 'P8',
    name: `bookings over HTTP against the same statements raw, ${atOnce} a commit, by the busiest thread's processor time`,
    unit: 'share of raw',
    value,
    spread: [min / booking.max, (costs.at(-1) ?? 0) / booking.busiest],
    bar: '>= 0.45',
    held: value >= 0.45,
  })
}

async function againstOneCommit(disk: NodeJS.ProcessEnv): Promise<void> {
  const file = join(freshFolder(), 'statements.json')
  writeFileSync(file, JSON.stringify(statements.slice(0, counts.oneByOne)))
  const rates: number[] = []
  const one = await makeSite({ providers: 50 })
  const booking = await booked(one, disk, () => {
    const script = join(import.meta.dirname, 'one-commit.ts')
    const args = [script, untouched.dataDir, file, String(counts.oneByOne)]
    rates.push(Number(execFileSync(process.execPath, args, { env: { ...process.env, ...disk } })))
  })
  const alone = Math.max(...rates)
  const value = booking.rate / alone
  console.log(`P8  the same with a disk that takes 1 ms longer for a sync`)
  console.log(costLine(booking))
  console.log(`raw, one a commit                 ${alone.toFixed(0)} a second`)
  report({
    figure: 'P8',
    name: 'bookings over HTTP against one commit a request, raw, on a disk 1 ms slower; by the clock',
    unit: 'times',
    value,
    spread: [booking.rate / alone, booking.rate / Math.min(...rates)],
    bar: '>= 8',
    held: value >= 8,
  })
}

async function booked(at: BenchSite, env: NodeJS.ProcessEnv, between: () => void): Promise<RequestCost> {
  const server = await run(at, env)
  const clients = await LoadClients.open(server, connections)
  const bodies = bookings(at, counts.sent)[Symbol.iterator]()
  const next: NextRequest = () => {
    const { value, done } = bodies.next()
    return done ? undefined : requestText('POST', '/reservations/add/', at.writeToken, { body: value })
  }
  const { booking } = await measureCosts([{ name: 'booking', server, clients, next }], between)
  clients.close()
  await server.stop()
  return booking
}
