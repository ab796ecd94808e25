import { access } from './en/access.ts'
import { booking } from './en/booking.ts'
import { calendars } from './en/calendars.ts'
import { platform } from './en/platform.ts'
import { webhooks } from './en/webhooks.ts'

/** Every message in English. */
export const en = { ...access, ...booking, ...calendars, ...platform, ...webhooks } as const
