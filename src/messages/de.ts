import { access } from './de/access.ts'
import { booking } from './de/booking.ts'
import { calendars } from './de/calendars.ts'
import { platform } from './de/platform.ts'
import { webhooks } from './de/webhooks.ts'
import type { Texts } from './message.ts'

/** Every message in German. */
export const de: Texts = { ...access, ...booking, ...calendars, ...platform, ...webhooks }
