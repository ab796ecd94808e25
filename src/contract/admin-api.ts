import { calendarRows, timeOffRows } from './admin/calendar.ts'
import { customerImportRows } from './admin/customer-import.ts'
import { customerRows } from './admin/customers.ts'
import { historyRows } from './admin/history.ts'
import { liveRows } from './admin/live.ts'
import { peopleRows } from './admin/people.ts'
import { providerRows } from './admin/providers.ts'
import { reservationRows } from './admin/reservations.ts'
import { secondFactorRows } from './admin/second-factor.ts'
import { securityRows } from './admin/security.ts'
import { serviceRows } from './admin/services.ts'
import { sessionRows } from './admin/session.ts'
import { siteRows } from './admin/site.ts'
import { siteFileRows } from './admin/site-file.ts'
import { systemRows } from './admin/system.ts'
import { todayRows } from './admin/today.ts'
import { tokenRows } from './admin/tokens.ts'
import { whyRows } from './admin/why.ts'
import type { PanelContract } from './endpoint.ts'

/** Where the panel's own API begins. It belongs to the panel of the same version and promises nothing to others. */
export const adminRoot = '/admin/api'

/** Every row of the panel, an area a file. It drives routes, who is admitted, checks, types and the panel's client. */
export const adminApi = {
  ...sessionRows,
  ...secondFactorRows,
  ...securityRows,
  ...peopleRows,
  ...tokenRows,
  ...siteRows,
  ...historyRows,
  ...systemRows,
  ...siteFileRows,
  ...reservationRows,
  ...todayRows,
  ...customerRows,
  ...customerImportRows,
  ...liveRows,
  ...serviceRows,
  ...providerRows,
  ...whyRows,
  ...calendarRows,
  ...timeOffRows,
} as const satisfies PanelContract

export type AdminApi = typeof adminApi
