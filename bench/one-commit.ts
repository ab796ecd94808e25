// The benchmark `p08-bookings.ts` runs this file as a separate process, with environment variables from `slowDisk` that
// make each sync to disk take longer. The process executes SQL statements of bookings without the service, each booking
// in its own commit, and prints the bookings per second. p08 recorded the statements with `statementsOf`.
import { readFileSync } from 'node:fs'
import { RawBookings } from './raw-bookings.ts'

const [dataDir = '', statements = '', count = '0'] = process.argv.slice(2)
const raw = new RawBookings({ dataDir }, JSON.parse(readFileSync(statements, 'utf8')))
const { total, seconds } = raw.round(Number(count), 1)
raw.close()
console.log(total / seconds)
