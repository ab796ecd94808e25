// p08 runs this file as a separate process, whose disk may be slowed. It prints the raw bookings per second when each
// booking has its own commit.
import { readFileSync } from 'node:fs'
import { RawBookings } from './raw-bookings.ts'

const [dataDir = '', statements = '', count = '0'] = process.argv.slice(2)
const raw = new RawBookings({ dataDir }, JSON.parse(readFileSync(statements, 'utf8')))
const { total, seconds } = raw.round(Number(count), 1)
raw.close()
console.log(total / seconds)
