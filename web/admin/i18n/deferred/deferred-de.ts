import { absence } from '../absence/de.ts'
import { bookingPage } from '../booking-page/de.ts'
import { calendars } from '../calendars/de.ts'
import { jobs } from '../jobs/de.ts'
import type { DeferredTexts } from '../messages.ts'
import { notificationSettings } from '../notifications/settings-de.ts'
import { payments } from '../payments/de.ts'
import { reports } from '../reports/de.ts'
import { services } from '../services/settings-de.ts'
import { settings } from '../settings/de.ts'
import { siteFile } from '../settings/site-file-de.ts'
import { webhooks } from '../webhooks/de.ts'
import { desk } from './desk-de.ts'
import { people } from './people-de.ts'

/** The panel texts in German that are loaded with the first screen that needs them. */
export const deferred: DeferredTexts = {
  ...absence,
  ...bookingPage,
  ...calendars,
  ...desk,
  ...jobs,
  ...notificationSettings,
  ...payments,
  ...people,
  ...reports,
  ...services,
  ...siteFile,
  ...settings,
  ...webhooks,
}
