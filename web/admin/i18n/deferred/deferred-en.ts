import { absence } from '../absence/en.ts'
import { bookingPage } from '../booking-page/en.ts'
import { calendars } from '../calendars/en.ts'
import { jobs } from '../jobs/en.ts'
import { notificationSettings } from '../notifications/settings-en.ts'
import { payments } from '../payments/en.ts'
import { reports } from '../reports/en.ts'
import { services } from '../services/settings-en.ts'
import { settings } from '../settings/en.ts'
import { siteFile } from '../settings/site-file-en.ts'
import { webhooks } from '../webhooks/en.ts'
import { desk } from './desk-en.ts'
import { people } from './people-en.ts'

/** The panel texts in English that are loaded with the first screen that needs them. */
export const deferred = {
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
} as const
