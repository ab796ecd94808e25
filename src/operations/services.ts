import type { Operation, Tx } from '../app.ts'
import { sameJson } from '../domain/data.ts'
import { type KeptProvider, shownProviderInFull } from '../domain/provider.ts'
import { Refusal } from '../domain/refusal.ts'
import { keptService } from '../domain/removal.ts'
import { defaultServiceSettings, type Service, shownServiceInFull } from '../domain/service.ts'
import { editService as applyChange, type ServiceChange } from '../domain/settings.ts'
import { listProviders, updateProvider } from '../storage/providers.ts'
import { hasActiveReservations } from '../storage/reservations.ts'
import { deleteService, findService, insertService, updateService } from '../storage/services.ts'
import { bumpCatalogue } from '../storage/site.ts'

export interface AddService {
  readonly name: string
  readonly description?: string
  readonly color?: string | null
}

/** Adds a service that works at once, with the settings of `defaultServiceSettings`. */
export const addService: Operation<AddService, { id: string }> = async (tx, input) => {
  await tx.lock(['catalogue!'])
  const service: Service = {
    id: tx.newId('service'),
    name: input.name,
    description: input.description ?? '',
    color: input.color ?? null,
    settings: defaultServiceSettings,
    data: {},
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

export interface EditService extends ServiceChange {
  readonly id: string
}

/** Changes a service's own fields and the integration's keys; refuses what only the panel sets. */
export const editService: Operation<EditService, Record<string, never>> = async (tx, { id, ...change }) => {
  const before = await lockService(tx, id)
  const edited = applyChange(before, change)
  if ('invalid' in edited) throw new Refusal('invalid_parameter', 'Some values cannot be kept.', edited.invalid)
  if ('panelOnly' in edited) {
    throw new Refusal('set_in_panel', 'Some settings are changed in the panel only.', edited.panelOnly)
  }
  const after = edited.service
  if (sameJson(before, after)) return {}
  await updateService(tx.db, after, tx.now)
  await bumpCatalogue(tx)
  await tx.append({
    type: 'service.updated',
    objectId: id,
    object: shownServiceInFull(after),
    previous: shownServiceInFull(before),
  })
  return {}
}

/**
 * Removes a service to which nothing pending or confirmed refers, also from what providers may handle and do
 * differently; cancelled reservations keep the id.
 */
export const removeService: Operation<{ readonly id: string }, Record<string, never>> = async (tx, { id }) => {
  const service = await lockService(tx, id)
  const kept = keptService(await hasActiveReservations(tx.db, { serviceId: id }))
  if (kept) throw new Refusal(kept.code, kept.sentence)
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

/** Takes the service out of what the provider may handle; says nothing of providers it did not concern. */
async function forgetService(tx: Tx, before: KeptProvider, serviceId: string): Promise<void> {
  const listed = before.allowedServices.includes(serviceId)
  if (!listed && !before.services.has(serviceId)) return
  const after: KeptProvider = {
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

async function lockService(tx: Tx, id: string): Promise<Service> {
  await tx.lock(['catalogue!'])
  const service = await findService(tx.db, id)
  if (!service) throw new Refusal('service_not_found', 'No service has this id.')
  return service
}
