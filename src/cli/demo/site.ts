import { parseDate } from '../../scheduling/time/date.ts'
import { localDay } from '../../scheduling/time/zone.ts'
import type { SiteFile } from '../../site-file/site-file.ts'
import { demoClinic, demoZone } from './clinic.ts'
import { demoCustomers } from './customers.ts'
import { seededRandom } from './random.ts'
import { demoReservations } from './reservations.ts'

const seed = 20_260_301
const day = 86_400
const daysPast = 92
const daysAhead = 31

/**
 * Returns the demo clinic as the content of a site file (the description of a site), with reservations from 92 days
 * before `now` (Unix seconds) to 31 days after and their assignments; the same instant gives the same content.
 */
export function demoSite(now: number): SiteFile {
  const today = parseDate(localDay(demoZone, now).date) ?? Math.floor(now / day)
  const clinic = demoClinic(today)
  const random = seededRandom(seed)
  const customers = demoCustomers(random)
  // With a clock near the Unix epoch, the period in the past is shortened, so that no reservation begins before 1970.
  const from = Math.max(0, now - daysPast * day)
  const reservations = demoReservations({ clinic, customers, from, now, until: now + daysAhead * day, random })
  return { ...clinic, customers, reservations }
}
