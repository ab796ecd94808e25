import type { App, CommandTable } from '../app.ts'
import { resetAccess } from './access.ts'
import { answerForm } from './answers.ts'
import { eraseCustomer } from './customer-erasure.ts'
import { importCustomers, undoImport } from './customer-import.ts'
import { mergeCustomers } from './customer-merge.ts'
import { addCustomerNote, removeCustomerNote } from './customer-notes.ts'
import { writeMissingWords } from './customer-words.ts'
import { addCustomer, editCustomer, removeCustomer } from './customers.ts'
import { createPerson, editPerson, invitePerson, removePerson, setPassword } from './people.ts'
import { addProvider, editProvider, editProviderService, removeProvider } from './providers.ts'
import { bookAtDesk, moveAtDesk, setStatusAtDesk } from './reservation-desk.ts'
import { editReservation } from './reservation-edit.ts'
import { addReservation, removeReservation } from './reservations.ts'
import {
  beginTotp,
  confirmTotp,
  registerPasskey,
  removePasskey,
  removeTotp,
  renewCodes,
  resealTotp,
} from './second-factors.ts'
import { dismissNotice, reportSecurity, requireSecondFactor } from './security.ts'
import { addService, editService, moveService, removeService, setService } from './services.ts'
import { authenticate, endSessions, startSession, touch } from './sessions.ts'
import { finishSetUp, offerSetUp } from './set-up.ts'
import { editSite, prepareSite, rotateSiteSecret } from './site.ts'
import { applySite } from './site-file.ts'
import { sweep } from './sweep.ts'
import { addTimeOff, editTimeOff, removeTimeOff } from './time-off.ts'
import { createToken, recordTokenUse, revokeToken } from './tokens.ts'
import { undoChange } from './undo.ts'
import { followZone, reportZoneChange } from './zone-changes.ts'

/** Every write of the service under the name by which `app.perform` knows it. */
export const commands = {
  'reservations.add': addReservation,
  'reservations.edit': editReservation,
  'reservations.remove': removeReservation,
  'reservations.desk.book': bookAtDesk,
  'reservations.desk.move': moveAtDesk,
  'reservations.desk.answer': answerForm,
  'reservations.desk.status': setStatusAtDesk,
  'customers.add': addCustomer,
  'customers.edit': editCustomer,
  'customers.remove': removeCustomer,
  'customers.words': writeMissingWords,
  'customers.merge': mergeCustomers,
  'customers.erase': eraseCustomer,
  'customers.import': importCustomers,
  'customers.import.undo': undoImport,
  'customers.notes.add': addCustomerNote,
  'customers.notes.remove': removeCustomerNote,
  'services.add': addService,
  'services.edit': editService,
  'services.set': setService,
  'services.move': moveService,
  'services.remove': removeService,
  'providers.add': addProvider,
  'providers.edit': editProvider,
  'providers.edit.service': editProviderService,
  'providers.remove': removeProvider,
  'time-off.add': addTimeOff,
  'time-off.edit': editTimeOff,
  'time-off.remove': removeTimeOff,
  'history.undo': undoChange,
  'tokens.create': createToken,
  'tokens.revoke': revokeToken,
  'tokens.used': recordTokenUse,
  'users.create': createPerson,
  'users.edit': editPerson,
  'users.remove': removePerson,
  'users.invite': invitePerson,
  'users.password': setPassword,
  'access.reset': resetAccess,
  'users.notice.dismiss': dismissNotice,
  'security.report': reportSecurity,
  'security.require-second-factor': requireSecondFactor,
  'sessions.start': startSession,
  'sessions.authenticate': authenticate,
  'sessions.touch': touch,
  'sessions.end': endSessions,
  'second-factors.totp.begin': beginTotp,
  'second-factors.totp.confirm': confirmTotp,
  'second-factors.totp.remove': removeTotp,
  'second-factors.totp.reseal': resealTotp,
  'second-factors.codes.renew': renewCodes,
  'second-factors.passkeys.register': registerPasskey,
  'second-factors.passkeys.remove': removePasskey,
  'set-up.offer': offerSetUp,
  'set-up.finish': finishSetUp,
  'site.prepare': prepareSite,
  'site.edit': editSite,
  'site.rotate-secret': rotateSiteSecret,
  'site.apply': applySite,
  sweep,
  'zones.follow': followZone,
  'zones.report': reportZoneChange,
} as const satisfies CommandTable

export type Commands = typeof commands

/** The service as its own layers know it: with its own commands. */
export type Daybook = App<Commands>
