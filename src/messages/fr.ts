import { access } from './fr/access.ts'
import { booking } from './fr/booking.ts'
import { catalogue } from './fr/catalogue.ts'
import { customers } from './fr/customers.ts'
import { history } from './fr/history.ts'
import { requests } from './fr/requests.ts'
import { siteFile } from './fr/site-file.ts'
import { system } from './fr/system.ts'
import type { Texts } from './message.ts'

/** Every message in French. */
export const fr: Texts = {
  ...access,
  ...booking,
  ...catalogue,
  ...customers,
  ...history,
  ...requests,
  ...siteFile,
  ...system,
}
