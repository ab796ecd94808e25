import { access } from './de/access.ts'
import { booking } from './de/booking.ts'
import { catalogue } from './de/catalogue.ts'
import { customers } from './de/customers.ts'
import { history } from './de/history.ts'
import { requests } from './de/requests.ts'
import { siteFile } from './de/site-file.ts'
import { system } from './de/system.ts'
import type { Texts } from './message.ts'

/** Every message in German. */
export const de: Texts = {
  ...access,
  ...booking,
  ...catalogue,
  ...customers,
  ...history,
  ...requests,
  ...siteFile,
  ...system,
}
