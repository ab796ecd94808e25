import { access } from './es/access.ts'
import { booking } from './es/booking.ts'
import { calendars } from './es/calendars.ts'
import { platform } from './es/platform.ts'
import { webhooks } from './es/webhooks.ts'
import type { Texts } from './message.ts'

/** Every message in Spanish. */
export const es: Texts = { ...access, ...booking, ...calendars, ...platform, ...webhooks }
