import { ana, ben, cleo, now } from './clinic.ts'

/** The date that a test makes a holiday of the practice; the customer Petra Novak has an appointment then. */
export const newHoliday = '2026-12-24'

const opening = ['08:00-18:00']
const weekly = { mon: opening, tue: opening, wed: opening, thu: opening, fri: opening }
const provider = (id: number, name: string): object => ({
  ...{ id, name, email: `${name.toLowerCase()}@practice.example`, timezone: 'Europe/Berlin', weekly },
})

// Two customers share a family name, two a first name, and the last two have no e-mail address.
const people = [
  ['Weber', 'Karin Weber', '+4940669691'],
  ['WeberJ', 'Jonas Weber', '+4940669692'],
  ['Novak', 'Petra Novak', '+4940669693'],
  ['Silva', 'Rui Silva', '+4940669694'],
  ['Haas', 'Petra Haas', '+4940669695'],
  ['Okafor', 'Ada Okafor', '+4940669696'],
  ['Lindqvist', 'Åsa Lindqvist', '+4940669697'],
  ['Moreau', 'Élodie Moreau', '+4940669698'],
  ['Kowalski', 'Jan Kowalski', '+4940669699'],
  ['Brandt', 'Uwe Brandt', '+4940669700'],
] as const

const booked = (key: string, customer: string, start: string, service: string, providerId: number): object => ({
  ...{ key, customer, start, service, provider: providerId, status: 'confirmed' },
})

/**
 * A practice on a Monday morning: three providers, ten customers, and appointments on that day, later in that week and
 * in December.
 */
export const practice = {
  site: {
    name: 'Harbour Practice',
    timezone: 'Europe/Berlin',
    siteUrl: 'https://practice.example',
    currency: 'EUR',
    holidays: [],
  },
  services: [
    { key: 'checkup', name: 'Check-up', durationMinutes: 30, horizonDays: 120 },
    { key: 'massage', name: 'Massage', durationMinutes: 60, horizonDays: 120 },
    { key: 'advice', name: 'Advice', durationMinutes: 45, horizonDays: 120 },
  ],
  providers: [provider(ana, 'Ana'), provider(ben, 'Ben'), provider(cleo, 'Cleo')],
  customers: people.map(([key, name, phone], at) => ({
    ...{ key, name, phone },
    ...(at < 8 && { email: `${key.toLowerCase()}@example.com` }),
  })),
  reservations: [
    booked('today1', 'Haas', '2026-10-05T09:00', 'checkup', ana),
    booked('today2', 'Okafor', '2026-10-05T10:00', 'massage', ana),
    booked('today3', 'Silva', '2026-10-05T14:00', 'checkup', ana),
    booked('today4', 'Lindqvist', '2026-10-05T11:00', 'checkup', ben),
    booked('today5', 'Moreau', '2026-10-05T15:00', 'advice', cleo),
    booked('thursday', 'Weber', '2026-10-08T10:00', 'checkup', ben),
    booked('friday', 'Brandt', '2026-10-09T10:00', 'massage', cleo),
    booked('eve', 'Novak', `${newHoliday}T10:00`, 'advice', ben),
  ],
}

/** The time at which the practice opens, in Unix seconds: Monday 2026-10-05, 08:00 in Berlin. */
export const opensAt = now
