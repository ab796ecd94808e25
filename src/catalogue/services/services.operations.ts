import { type Data, mergeData, sameJson } from '../../data.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { fieldRefusal, Refusal, refusal } from '../../messages/refusal.ts'
import { hasActiveReservations } from '../../reservations/reservations.sql.ts'
import { type ProviderRecord, shownProviderInFull } from '../providers/provider.ts'
import { listProviders, updateProvider } from '../providers/providers.sql.ts'
import { serviceRemovalRefusal } from '../site/removal-policy.ts'
import { bumpCatalogue } from '../site/site.sql.ts'
import { type FormField, type FormFieldEntry, formFaults, formOf } from './booking-form.ts'
import { defaultServiceSettings, type Service, shownServiceInFull } from './service.ts'
import { listServiceOrder, writeServiceOrder } from './service-order.sql.ts'
import {
  applyServiceChange as applyChange,
  mergeSettings,
  type ServiceChange,
  type SettingsChange,
} from './service-settings.ts'
import { deleteService, findService, insertService, updateService } from './services.sql.ts'

/** The input of `addService`. */
export interface AddService {
  readonly name: string
  readonly description?: string
  readonly color?: string | null
  readonly settings?: SettingsChange
  /** The id of a removed service to restore; when absent, a new id is assigned. */
  readonly id?: string
  /** Keys and values of integrations, stored as given; absent if there is none. */
  readonly data?: Data
  readonly form?: readonly FormFieldEntry[]
}

/** Adds a service; absent settings have the values of `defaultServiceSettings`. */
export const addService: Operation<AddService, { id: string }> = async (tx, input) => {
  await tx.lock(['catalogue!'])
  const service: Service = {
    id: input.id ?? tx.newId('service'),
    name: input.name,
    description: input.description ?? '',
    color: input.color ?? null,
    settings: mergeSettings(defaultServiceSettings, input.settings ?? {}),
    data: input.data ?? {},
    form: requireForm(input.form ?? []),
  }
  await insertService(tx.db, service, { key: null, ordinal: tx.newOrdinal(), now: tx.now })
  await bumpCatalogue(tx)
  await tx.append({
    type: 'service.created',
    objectId: service.id,
    object: shownServiceInFull(service),
    previous: null,
  })
  return { id: service.id }
}

/** The input of `editService`. */
export interface EditService extends ServiceChange {
  readonly id: string
}

/**
 * Changes a service through the public API: its name, description, colour and duration, and the keys of integrations.
 * Refuses invalid values, and changes of settings that only the panel and the site file (a JSON description of the
 * site) may change.
 */
export const editService: Operation<EditService, Record<string, never>> = async (tx, { id, ...change }) => {
  const before = await lockService(tx, id)
  const edited = applyChange(before, change)
  if ('invalid' in edited)
    throw new Refusal({ code: 'invalid_parameter', message: message('values_invalid'), details: edited.invalid })
  if ('panelOnly' in edited) {
    throw new Refusal({ code: 'set_in_panel', message: message('set_in_panel'), details: edited.panelOnly })
  }
  return keep(tx, before, edited.service)
}

/** The input of `setService`. */
export interface SetService extends Partial<Pick<Service, 'name' | 'description' | 'color'>> {
  readonly id: string
  readonly settings: SettingsChange
  /** Keys and values of integrations that are merged into those of the service; null deletes a key. */
  readonly data?: Data
  /** The fields that replace those of the booking form; when absent, the form is left unchanged. */
  readonly form?: readonly FormFieldEntry[]
}

/** Changes a service's own fields, form, integration keys and any of its settings, for the panel and for undo. */
export const setService: Operation<SetService, Record<string, never>> = async (tx, { id, settings, ...change }) => {
  const before = await lockService(tx, id)
  const data = mergeData(before.data, change.data ?? {})
  const form = change.form ? requireForm(change.form) : before.form
  return keep(tx, before, { ...before, ...change, data, form, settings: mergeSettings(before.settings, settings) })
}

function requireForm(entries: readonly FormFieldEntry[]): FormField[] {
  const form = formOf(entries)
  const faults = [...formFaults(form)].map(([place, fault]) => [`form${place}`, fault])
  if (faults.length > 0)
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('form_invalid'),
      details: Object.fromEntries(faults),
    })
  return form
}

async function keep(tx: Tx, before: Service, after: Service): Promise<Record<string, never>> {
  if (sameJson(before, after)) return {}
  await updateService(tx.db, after, tx.now)
  await bumpCatalogue(tx)
  await tx.append({
    type: 'service.updated',
    objectId: after.id,
    object: shownServiceInFull(after),
    previous: shownServiceInFull(before),
  })
  return {}
}

/** The input of `moveService`. */
export interface MoveService {
  readonly id: string
  /** The id of the service before which the moved service is placed; absent for the end. */
  readonly before?: string
}

/**
 * Moves a service before another, or to the end, in the order in which the panel and the booking page list services.
 */
export const moveService: Operation<MoveService, Record<string, never>> = async (tx, { id, before }) => {
  const moved = await lockService(tx, id)
  const was = await listServiceOrder(tx.db)
  const others = was.filter((other) => other !== id)
  const at = before === undefined ? others.length : others.indexOf(before)
  if (at < 0) throw fieldRefusal('before', 'service_not_found')
  const is = others.toSpliced(at, 0, id)
  if (sameJson(was, is)) return {}
  await writeServiceOrder(tx.db, is)
  await bumpCatalogue(tx)
  const shown = shownServiceInFull(moved)
  await tx.append({
    type: 'service.updated',
    objectId: id,
    object: { ...shown, position: at + 1 },
    previous: { ...shown, position: was.indexOf(id) + 1 },
  })
  return {}
}

/**
 * Removes a service from the catalogue, and from the restrictions and settings of providers; refuses while reservations
 * of the service are pending or confirmed. Cancelled reservations retain the service's id.
 */
export const removeService: Operation<{ readonly id: string }, Record<string, never>> = async (tx, { id }) => {
  const service = await lockService(tx, id)
  const kept = serviceRemovalRefusal(await hasActiveReservations(tx.db, { serviceId: id }))
  if (kept) throw new Refusal(kept)
  const providers = await listProviders(tx.db)
  await deleteService(tx.db, id)
  for (const provider of providers) await forgetService(tx, provider, id)
  await bumpCatalogue(tx)
  await tx.append({
    type: 'service.removed',
    objectId: id,
    object: null,
    previous: shownServiceInFull(service),
  })
  return {}
}

/**
 * Removes a service from a provider's allowed services and from its settings per service, and appends an event. The
 * caller has already deleted the stored settings. Does nothing for a provider with neither.
 */
async function forgetService(tx: Tx, before: ProviderRecord, serviceId: string): Promise<void> {
  const listed = before.allowedServices.includes(serviceId)
  if (!listed && !before.services.has(serviceId)) return
  const after: ProviderRecord = {
    ...before,
    allowedServices: before.allowedServices.filter((id) => id !== serviceId),
    services: new Map([...before.services].filter(([id]) => id !== serviceId)),
    serviceData: new Map([...before.serviceData].filter(([id]) => id !== serviceId)),
  }
  if (listed) await updateProvider(tx.db, after, tx.now)
  await tx.append({
    type: 'provider.updated',
    objectId: String(after.id),
    object: shownProviderInFull(after),
    previous: shownProviderInFull(before),
  })
}

/** Loads a service and locks the catalogue exclusively until the transaction ends; refuses an unknown id. */
export async function lockService(tx: Tx, id: string): Promise<Service> {
  await tx.lock(['catalogue!'])
  const service = await findService(tx.db, id)
  if (!service) throw refusal('service_not_found')
  return service
}
