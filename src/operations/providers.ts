import type { Operation, Tx } from '../app.ts'
import { type Data, sameJson } from '../domain/data.ts'
import { type KeptProvider, shownProviderInFull } from '../domain/provider.ts'
import { Refusal } from '../domain/refusal.ts'
import { mergeProviderService } from '../domain/settings.ts'
import { type Catalogue, loadCatalogue } from '../storage/catalogue.ts'
import { saveProviderService, updateProvider } from '../storage/providers.ts'
import { bumpCatalogue } from '../storage/site.ts'

export interface EditProvider {
  readonly id: number
  readonly allowedServices?: readonly string[]
  readonly restrictServices?: boolean
}

/** Changes which services a provider may handle; existing reservations stay as they are. */
export const editProvider: Operation<EditProvider, Record<string, never>> = async (tx, input) => {
  const { catalogue, provider: before } = await lockProvider(tx, input.id)
  const unknown = (input.allowedServices ?? []).filter((id) => !catalogue.service(id))
  if (unknown.length > 0) {
    throw new Refusal('service_not_found', 'Some of these services do not exist.', {
      allowedServices: `No service has the id ${unknown.join(', ')}.`,
    })
  }
  const after: KeptProvider = {
    ...before,
    allowedServices: [...new Set(input.allowedServices ?? before.allowedServices)],
    restrictServices: input.restrictServices ?? before.restrictServices,
  }
  if (sameProvider(before, after)) return {}
  await updateProvider(tx.db, after, tx.now)
  await appendUpdate(tx, before, after)
  return {}
}

export interface EditProviderService {
  readonly providerId: number
  readonly serviceId: string
  /** Merged key by key; null resets. Keys that are no settings are the integration's own. */
  readonly settings: Data
}

/** Changes what one provider does differently for one service. */
export const editProviderService: Operation<EditProviderService, Record<string, never>> = async (tx, input) => {
  const { providerId, serviceId } = input
  const { catalogue, provider: before } = await lockProvider(tx, providerId)
  if (!catalogue.service(serviceId)) throw new Refusal('service_not_found', 'No service has this id.')
  const settings = before.services.get(serviceId) ?? {}
  const data = before.serviceData.get(serviceId) ?? {}
  const merged = mergeProviderService({ settings, data }, input.settings)
  if ('invalid' in merged) throw new Refusal('invalid_parameter', 'Some values cannot be kept.', merged.invalid)
  const { kept } = merged
  if (sameJson(kept, { settings, data })) return {}
  await saveProviderService(tx.db, { providerId, serviceId, kept })
  await appendUpdate(tx, before, {
    ...before,
    services: new Map(before.services).set(serviceId, kept.settings),
    serviceData: new Map(before.serviceData).set(serviceId, kept.data),
  })
  return {}
}

function sameProvider(one: KeptProvider, other: KeptProvider): boolean {
  return one.restrictServices === other.restrictServices && sameJson(one.allowedServices, other.allowedServices)
}

async function appendUpdate(tx: Tx, before: KeptProvider, after: KeptProvider): Promise<void> {
  await bumpCatalogue(tx)
  await tx.append({
    type: 'provider.updated',
    objectId: String(after.id),
    object: shownProviderInFull(after),
    previous: shownProviderInFull(before),
  })
}

async function lockProvider(tx: Tx, id: number): Promise<{ catalogue: Catalogue; provider: KeptProvider }> {
  await tx.lock(['catalogue!'])
  const catalogue = await loadCatalogue(tx.db)
  const provider = catalogue.provider(id)
  if (!provider) throw new Refusal('provider_not_found', 'No provider has this id.')
  return { catalogue, provider }
}
