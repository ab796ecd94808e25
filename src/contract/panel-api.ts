import type { PanelContract } from './endpoint.ts'
import { secondFactorRows } from './panel/access/second-factors.ts'
import { securityRows } from './panel/access/security-log.ts'
import { sessionRows } from './panel/access/session.ts'
import { tokenRows } from './panel/access/tokens.ts'
import { peopleRows } from './panel/access/users.ts'
import { calendarRows, timeOffRows } from './panel/calendar.ts'
import { customerImportRows } from './panel/customer-import.ts'
import { customerRows } from './panel/customers.ts'
import { whyRows } from './panel/explain.ts'
import { historyRows } from './panel/history.ts'
import { liveRows } from './panel/live.ts'
import { providerRows } from './panel/providers.ts'
import { reservationRows } from './panel/reservations.ts'
import { serviceRows } from './panel/services.ts'
import { siteRows } from './panel/site.ts'
import { siteFileRows } from './panel/site-file.ts'
import { systemRows } from './panel/system.ts'
import { todayRows } from './panel/today.ts'

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
