import { access } from './fr/access.ts'
import { booking } from './fr/booking.ts'
import { calendars } from './fr/calendars.ts'
import { platform } from './fr/platform.ts'
import { webhooks } from './fr/webhooks.ts'
import type { Texts } from './message.ts'

/** Every message in French. */
export const fr: Texts = { ...access, ...booking, ...calendars, ...platform, ...webhooks }
