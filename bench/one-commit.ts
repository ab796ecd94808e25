// p08 runs this file as a separate process, in which `slowDisk` may delay each sync to disk. The process executes the
// recorded SQL statements of bookings without the service, each booking in its own commit, and prints the bookings per
// second.
import { readFileSync } from 'node:fs'
import { RawBookings } from './raw-bookings.ts'

const [dataDir = '', statements = '', count = '0'] = process.argv.slice(2)
const raw = new RawBookings({ dataDir }, JSON.parse(readFileSync(statements, 'utf8')))
const { total, seconds } = raw.round(Number(count), 1)
raw.close()
console.log(total / seconds)
