import { access } from './en/access.ts'
import { booking } from './en/booking.ts'
import { catalogue } from './en/catalogue.ts'
import { customers } from './en/customers.ts'
import { history } from './en/history.ts'
import { requests } from './en/requests.ts'
import { siteFile } from './en/site-file.ts'
import { system } from './en/system.ts'

/** Every message in English. */
export const en = {
  ...access,
  ...booking,
  ...catalogue,
  ...customers,
  ...history,
  ...requests,
  ...siteFile,
  ...system,
} as const
