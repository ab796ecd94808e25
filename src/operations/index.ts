import type { App, CommandTable } from '../app.ts'
import { addCustomer, editCustomer, removeCustomer } from './customers.ts'
import { createPerson } from './people.ts'
import { editProvider, editProviderService } from './providers.ts'
import { editReservation } from './reservation-edit.ts'
import { addReservation, removeReservation } from './reservations.ts'
import { addService, editService, removeService } from './services.ts'
import { prepareSite } from './site.ts'
import { applySite } from './site-file.ts'
import { sweep } from './sweep.ts'
import { createToken, recordTokenUse, revokeToken } from './tokens.ts'
import { followZone, reportZoneChange } from './zone-changes.ts'

/** Every write of the service under the name by which `app.perform` knows it. */
export const commands = {
  'reservations.add': addReservation,
  'reservations.edit': editReservation,
  'reservations.remove': removeReservation,
  'customers.add': addCustomer,
  'customers.edit': editCustomer,
  'customers.remove': removeCustomer,
  'services.add': addService,
  'services.edit': editService,
  'services.remove': removeService,
  'providers.edit': editProvider,
  'providers.edit.service': editProviderService,
  'tokens.create': createToken,
  'tokens.revoke': revokeToken,
  'tokens.used': recordTokenUse,
  'users.create': createPerson,
  'site.prepare': prepareSite,
  'site.apply': applySite,
  sweep,
  'zones.follow': followZone,
  'zones.report': reportZoneChange,
} as const satisfies CommandTable

export type Commands = typeof commands

/** The service as its own layers know it: with its own commands. */
export type Daybook = App<Commands>
