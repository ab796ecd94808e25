import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import { shownProviderInFull } from '../catalogue/providers/provider.ts'
import {
  addProvider,
  editProvider,
  editProviderService,
  lockProvider,
  removeProvider,
} from '../catalogue/providers/providers.operations.ts'
import type { FormField } from '../catalogue/services/booking-form.ts'
import {
  defaultServiceSettings,
  isServiceSetting,
  type ServiceSettings,
  shownServiceInFull,
} from '../catalogue/services/service.ts'
import { listServiceOrder } from '../catalogue/services/service-order.sql.ts'
import {
  addService,
  lockService,
  moveService,
  removeService,
  setService,
} from '../catalogue/services/services.operations.ts'
import { findService } from '../catalogue/services/services.sql.ts'
import { editSite } from '../catalogue/site/site.operations.ts'
import { loadSite } from '../catalogue/site/site.sql.ts'
import type { Site } from '../catalogue/site/site.ts'
import { addTimeOff, editTimeOff, lockTimeOff, removeTimeOff } from '../catalogue/time-off/time-off.operations.ts'
import { findTimeOff } from '../catalogue/time-off/time-off.sql.ts'
import type { TimeOff } from '../catalogue/time-off/time-off.ts'
import type { Data } from '../data.ts'
import { statesIn } from '../db/log/event-log.ts'
import type { Tx } from '../db/perform/app.ts'
import type { LoggedEvent } from '../history/event.ts'
import { changedSince, fieldsBack, keysBack, type Undoing } from './undo.ts'
import { requireGone, requireUnchanged } from './undo-checks.operations.ts'

const ofService = ['name', 'description', 'color', 'form'] as const
const settingKeys = Object.keys(defaultServiceSettings).filter(isServiceSetting)

/**
 * A service as events contain it, but always with a booking form; `position` is present only when the change moved the
 * service in display order.
 */
interface LoggedService {
  readonly name: string
  readonly description: string
  readonly color: string | null
  readonly data: ServiceSettings & Data
  readonly form: readonly FormField[]
  readonly position?: number
}

/** A service in the format of events, in which an empty booking form is omitted. */
type ShownService = Omit<LoggedService, 'form'> & Partial<Pick<LoggedService, 'form'>>

function logged(shown: ShownService): LoggedService {
  return { form: [], ...shown }
}

/**
 * Undoes a change of a service: reverts fields or the position, removes an added service, or restores a removed one at
 * the end of the order.
 */
export async function undoService(tx: Tx, event: LoggedEvent, does: Undoing): Promise<void> {
  const id = event.objectId
  const states = statesIn<ShownService>(event)
  const before = logged(states.before)
  const after = logged(states.after)
  if (does === 'add') {
    await addServiceAgain(tx, id, before)
    return
  }
  const now = logged(shownServiceInFull(await lockService(tx, id)))
  const course = { before, after, now }
  if (does === 'remove') {
    requireUnchanged(changedSince(course, [...ofService, 'data']))
    await removeService(tx, { id })
    return
  }
  if (before.position !== undefined && after.position !== undefined) {
    await moveBack(tx, id, { from: after.position, to: before.position })
    return
  }
  const own = fieldsBack(course, ofService)
  const settings = settingsBack(before.data, after.data, now.data)
  const keys = keysBack({ before: ownKeys(before.data), after: ownKeys(after.data), now: ownKeys(now.data) }, 'data')
  requireUnchanged([...own.since, ...settings.since.map((key) => `data.${key}`), ...keys.since])
  await setService(tx, { id, ...own.back, settings: settings.back, data: keys.back })
}

function settingsBack(before: ServiceSettings, after: ServiceSettings, now: ServiceSettings) {
  return fieldsBack({ before, after, now }, settingKeys)
}

async function addServiceAgain(tx: Tx, id: string, before: LoggedService): Promise<void> {
  const { name, description, color, data, form } = before
  await tx.lock(['catalogue!'])
  requireGone(await findService(tx.db, id))
  // `settings` contains only those settings of the removed service that differ from the defaults of a new service.
  const { back: settings } = settingsBack(data, defaultServiceSettings, data)
  await addService(tx, { id, name, description, color, settings, data: ownKeys(data), form })
}

function ownKeys(data: Data): Data {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !isServiceSetting(key)))
}

/**
 * Moves a service back to its previous place in display order; refuses unless the service is still at the position to
 * which the change moved it. Positions count from 1.
 */
async function moveBack(
  tx: Tx,
  id: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const order = await listServiceOrder(tx.db)
  requireUnchanged(order[from - 1] === id ? [] : ['position'])
  const before = order.filter((other) => other !== id)[to - 1]
  await moveService(tx, { id, ...(before !== undefined && { before }) })
}

const ofProvider = [
  'name',
  'email',
  'timezone',
  'allowedServices',
  'restrictServices',
  'weekly',
  'overrides',
  'doubleBooking',
  'meetingLink',
] as const

/** A provider as the event log stores it, with the provider's own settings and the integration data per service. */
type LoggedProvider = Omit<ReturnType<typeof shownProviderInFull>, 'services'> & {
  readonly services: Readonly<Record<string, Data>>
}

/** Undoes a change of a provider: reverts fields, removes an added provider, or restores a removed one under its id. */
export async function undoProvider(tx: Tx, event: LoggedEvent, does: Undoing): Promise<void> {
  const id = Number(event.objectId)
  const states = statesIn<LoggedProvider>(event)
  if (does === 'add') {
    await addProviderAgain(tx, states.before)
    return
  }
  const { provider } = await lockProvider(tx, id)
  const now: LoggedProvider = shownProviderInFull(provider)
  const course = { ...states, now }
  if (does === 'remove') {
    requireUnchanged(changedSince(course, [...ofProvider, 'services']))
    await removeProvider(tx, { id })
    return
  }
  const { back, since } = fieldsBack(course, ofProvider)
  const services = servicesBack(course)
  requireUnchanged([...since, ...services.flatMap((one) => one.since)])
  await editProvider(tx, { ...back, id })
  for (const { serviceId, settings } of services) await editProviderService(tx, { providerId: id, serviceId, settings })
}

async function addProviderAgain(tx: Tx, { services, ...own }: LoggedProvider): Promise<void> {
  await tx.lock(['catalogue!'])
  requireGone((await loadCatalogue(tx.db)).provider(own.id))
  await addProvider(tx, own)
  for (const [serviceId, settings] of Object.entries(services))
    await editProviderService(tx, { providerId: own.id, serviceId, settings })
}

function servicesBack({ before, after, now }: Readonly<Record<'before' | 'after' | 'now', LoggedProvider>>) {
  const ids = [...new Set([...Object.keys(before.services), ...Object.keys(after.services)])]
  return ids.flatMap((serviceId) => {
    const of = ({ services }: LoggedProvider): Data => services[serviceId] ?? {}
    const { back, since } = keysBack({ before: of(before), after: of(after), now: of(now) }, `services.${serviceId}`)
    return Object.keys(back).length === 0 ? [] : [{ serviceId, settings: back, since }]
  })
}

const ofTimeOff = ['start', 'end', 'note'] as const

/** Undoes a change of a time off: reverts fields, removes an added one, or restores a removed one under its id. */
export async function undoTimeOff(tx: Tx, event: LoggedEvent, does: Undoing): Promise<void> {
  const { before, after } = statesIn<TimeOff>(event)
  if (does === 'add') {
    requireGone(await findTimeOff(tx.db, before.id))
    await addTimeOff(tx, before)
    return
  }
  const { id } = after
  const course = { before, after, now: await lockTimeOff(tx, { id }) }
  if (does === 'remove') {
    requireUnchanged(changedSince(course, ofTimeOff))
    await removeTimeOff(tx, { id })
    return
  }
  const { back, since } = fieldsBack(course, ofTimeOff)
  requireUnchanged(since)
  await editTimeOff(tx, { id, ...back })
}

const ofSite = [
  'name',
  'timezone',
  'siteUrl',
  'language',
  'currency',
  'holidays',
  'defaultWeekly',
  'appearance',
] as const
const ofPolicies = [
  'removal',
  'zoneChanges',
  'listFullSlots',
  'cancelReasons',
  'noShows',
  'calendarPollMinutes',
  'calendarMaxAgeMinutes',
] as const

/** Undoes a change of settings and policies of the site. */
export async function undoSite(tx: Tx, event: LoggedEvent): Promise<void> {
  await tx.lock(['catalogue!'])
  const { site: now } = await loadSite(tx.db)
  const { before, after } = statesIn<Site>(event)
  const { back, since } = fieldsBack({ before, after, now }, ofSite)
  const policies = fieldsBack({ before: before.policies, after: after.policies, now: now.policies }, ofPolicies)
  requireUnchanged([...since, ...policies.since.map((name) => `policies.${name}`)])
  await editSite(tx, { ...back, policies: policies.back })
}
