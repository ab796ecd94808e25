import { absence } from '../absence/es.ts'
import { bookingPage } from '../booking-page/es.ts'
import { calendars } from '../calendars/es.ts'
import { jobs } from '../jobs/es.ts'
import type { LaterWords } from '../messages.ts'
import { payments } from '../payments/es.ts'
import { webhooks } from '../webhooks/es.ts'

/** The sentences of screens that no one opens first, in Spanish. */
export const later: LaterWords = { ...absence, ...bookingPage, ...calendars, ...jobs, ...payments, ...webhooks }
