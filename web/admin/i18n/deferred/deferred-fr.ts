import { absence } from '../absence/fr.ts'
import { bookingPage } from '../booking-page/fr.ts'
import { calendars } from '../calendars/fr.ts'
import { jobs } from '../jobs/fr.ts'
import type { DeferredTexts } from '../messages.ts'
import { notificationSettings } from '../notifications/settings-fr.ts'
import { payments } from '../payments/fr.ts'
import { reports } from '../reports/fr.ts'
import { services } from '../services/settings-fr.ts'
import { settings } from '../settings/fr.ts'
import { siteFile } from '../settings/site-file-fr.ts'
import { webhooks } from '../webhooks/fr.ts'
import { desk } from './desk-fr.ts'
import { people } from './people-fr.ts'

/** The panel texts in French that are loaded with the first screen that needs them. */
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
