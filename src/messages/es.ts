import { access } from './es/access.ts'
import { booking } from './es/booking.ts'
import { catalogue } from './es/catalogue.ts'
import { customers } from './es/customers.ts'
import { history } from './es/history.ts'
import { requests } from './es/requests.ts'
import { siteFile } from './es/site-file.ts'
import { system } from './es/system.ts'
import type { Texts } from './message.ts'

/** Every message in Spanish. */
export const es: Texts = {
  ...access,
  ...booking,
  ...catalogue,
  ...customers,
  ...history,
  ...requests,
  ...siteFile,
  ...system,
}
