import { absence } from '../absence/es.ts'
import { bookingPage } from '../booking-page/es.ts'
import { calendars } from '../calendars/es.ts'
import { jobs } from '../jobs/es.ts'
import type { DeferredTexts } from '../messages.ts'
import { notificationSettings } from '../notifications/settings-es.ts'
import { payments } from '../payments/es.ts'
import { reports } from '../reports/es.ts'
import { services } from '../services/settings-es.ts'
import { settings } from '../settings/es.ts'
import { siteFile } from '../settings/site-file-es.ts'
import { webhooks } from '../webhooks/es.ts'
import { desk } from './desk-es.ts'
import { people } from './people-es.ts'

/** The panel texts in Spanish that are loaded with the first screen that needs them. */
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
