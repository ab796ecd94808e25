import { unlinkProvider } from '../../access/users/users.operations.ts'
import { type Data, sameJson } from '../../data.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal, wrongFields } from '../../messages/refusal.ts'
import { hasActiveReservations, occupiesProvider } from '../../reservations/reservations.sql.ts'
import { checkOverrides } from '../../site-file/check.ts'
import type { SiteFileFaults } from '../../site-file/site-file.ts'
import { requireServices } from '../catalogue.operations.ts'
import { loadCatalogue } from '../catalogue.sql.ts'
import type { Catalogue } from '../catalogue.ts'
import { mergeProviderService } from '../services/service-settings.ts'
import { providerRemovalRefusal } from '../site/removal-policy.ts'
import { bumpCatalogue } from '../site/site.sql.ts'
import { meetingLinkFault } from './meeting-link.ts'
import { handles, newProvider, type ProviderChange, type ProviderRecord, shownProviderInFull } from './provider.ts'
import {
  deleteProvider,
  insertProvider,
  loadLastProvider,
  saveProviderService,
  updateProvider,
} from './providers.sql.ts'

/** The input of `addProvider`. */
export interface AddProvider extends ProviderChange {
  /** The id of a removed provider to restore; when absent, the next unused id is assigned. */
  readonly id?: number
}

/** Adds a provider; absent fields have the defaults of `newProvider`. */
export const addProvider: Operation<AddProvider, { readonly id: number }> = async (tx, input) => {
  await tx.lock(['catalogue!'])
  const catalogue = await loadCatalogue(tx.db)
  const { id = (await loadLastProvider(tx.db)) + 1, ...change } = input
  const provider = providerAfter(catalogue, newProvider(id, catalogue.site), change)
  await insertProvider(tx.db, provider, { key: null, now: tx.now })
  await bumpCatalogue(tx)
  const object = shownProviderInFull(provider)
  await tx.append({ type: 'provider.created', objectId: String(id), object, previous: null })
  return { id }
}

/** The input of `editProvider`. */
export interface EditProvider extends ProviderChange {
  readonly id: number
  /** The only provider that the acting user may edit; undefined when the user or integration may edit any. */
  readonly ofProvider?: number
  /** The lists from which the change was made; a list that is absent is replaced whatever it is. */
  readonly was?: Pick<ProviderChange, (typeof seenLists)[number]>
}

/** The fields that a change replaces as a whole, so that it would take back what another user has changed since. */
const seenLists = ['weekly', 'overrides', 'allowedServices'] as const

/** Changes a provider; refuses when `was` differs from what is stored. Existing reservations are not affected. */
export const editProvider: Operation<EditProvider, Record<string, never>> = async (tx, input) => {
  const { id, ofProvider = id, was, ...change } = input
  const { catalogue, provider: before } = await lockProvider(tx, ofProvider === id ? id : 0)
  const fields = seenLists.filter((list) => was?.[list] !== undefined && !sameJson(was[list], before[list]))
  if (fields.length > 0) throw refusal('changed_since', { fields })
  const after = providerAfter(catalogue, before, change)
  if (input.ofProvider !== undefined) requireSameSlots(before, after)
  if (sameJson(shownProviderInFull(before), shownProviderInFull(after))) return {}
  await updateProvider(tx.db, after, tx.now)
  await appendUpdate(tx, before, after)
  return {}
}

/**
 * Throws a refusal when a change affects slot properties, such as the price, or the dates of the overrides that set
 * slot properties. The function is called for a user who is limited to the provider and may change hours only.
 */
function requireSameSlots(before: ProviderRecord, after: ProviderRecord): void {
  const slots = ({ overrides }: ProviderRecord) =>
    overrides
      .flatMap(({ from, to, slot }) => (slot ? [JSON.stringify([from, to, Object.entries(slot).sort()])] : []))
      .sort()
  if (sameJson(slots(before), slots(after))) return
  throw wrongFields({ overrides: message('slot_overrides_forbidden') })
}

/**
 * Returns a provider with a change applied, without storing it; throws a refusal for unknown allowed services, invalid
 * overrides or an invalid meeting link.
 */
export function providerAfter(catalogue: Catalogue, before: ProviderRecord, change: ProviderChange): ProviderRecord {
  requireServices(catalogue, 'allowedServices', change.allowedServices ?? [])
  const faults: SiteFileFaults = new Map()
  checkOverrides(faults, 'overrides', change.overrides)
  const linkFault = meetingLinkFault(change.meetingLink ?? '')
  if (linkFault) faults.set('meetingLink', linkFault)
  if (faults.size > 0) throw wrongFields(Object.fromEntries(faults))
  const allowedServices = [...new Set(change.allowedServices ?? before.allowedServices)]
  return { ...before, ...change, allowedServices }
}

/**
 * Removes a provider with its time off, calendars and settings, and unlinks its users. Refuses while pending or
 * confirmed reservations have the provider's id, or are collective reservations that occupy the provider's time but
 * have the id of another provider. Cancelled reservations retain the id, so it is not assigned to a new provider
 * automatically.
 */
export const removeProvider: Operation<{ readonly id: number }, Record<string, never>> = async (tx, { id }) => {
  await tx.lock(['catalogue!', 'users'])
  const provider = requireProviderRecord(await loadCatalogue(tx.db), id)
  const isInUse = (await hasActiveReservations(tx.db, { providerId: id })) || (await occupiesProvider(tx.db, id))
  const kept = providerRemovalRefusal(isInUse)
  if (kept) throw new Refusal(kept)
  await unlinkProvider(tx, id)
  await deleteProvider(tx.db, id)
  await bumpCatalogue(tx)
  const previous = shownProviderInFull(provider)
  await tx.append({ type: 'provider.removed', objectId: String(id), object: null, previous })
  return {}
}

/** The input of `editProviderService`. */
export interface EditProviderService {
  readonly providerId: number
  readonly serviceId: string
  /**
   * The settings to merge, key by key. A null deletes the setting; the value of the service then applies, or the
   * default for a setting that services do not have. Keys that are not settings are stored as data of integrations; a
   * null deletes such a key as well.
   */
  readonly settings: Data
}

/** Changes the settings and the integration data of one provider for one service. */
export const editProviderService: Operation<EditProviderService, Record<string, never>> = async (tx, input) => {
  const { providerId, serviceId } = input
  const { catalogue, provider: before } = await lockProvider(tx, providerId)
  if (!catalogue.service(serviceId)) throw refusal('service_not_found')
  const settings = before.services.get(serviceId) ?? {}
  const data = before.serviceData.get(serviceId) ?? {}
  const merged = mergeProviderService({ settings, data }, input.settings)
  if ('invalid' in merged)
    throw new Refusal({ code: 'invalid_parameter', message: message('values_invalid'), details: merged.invalid })
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

/** The input of `offerService`. */
export interface OfferService {
  readonly providerId: number
  readonly serviceId: string
  /** Whether the provider offers the service afterwards. */
  readonly offers: boolean
}

/**
 * Makes a provider offer a service, or stop offering it; the other settings of the provider for the service stay. A
 * provider who offers all services still offers those that are added later.
 */
export const offerService: Operation<OfferService, Record<string, never>> = async (tx, input) => {
  const { providerId: id, serviceId, offers } = input
  const { catalogue, provider } = await lockProvider(tx, id)
  if (!catalogue.service(serviceId)) throw refusal('service_not_found')
  if (handles(provider, serviceId) === offers) return {}
  const { restrictServices, allowedServices } = provider
  if (restrictServices) {
    const others = allowedServices.filter((one) => one !== serviceId)
    await editProvider(tx, { id, allowedServices: offers ? [...allowedServices, serviceId] : others })
  }
  if (offers || !restrictServices)
    await editProviderService(tx, { providerId: id, serviceId, settings: { participate: offers ? null : false } })
  return {}
}

async function appendUpdate(tx: Tx, before: ProviderRecord, after: ProviderRecord): Promise<void> {
  await bumpCatalogue(tx)
  await tx.append({
    type: 'provider.updated',
    objectId: String(after.id),
    object: shownProviderInFull(after),
    previous: shownProviderInFull(before),
  })
}

/** Loads a provider and locks the catalogue exclusively until the transaction ends; refuses an unknown id. */
export async function lockProvider(tx: Tx, id: number): Promise<{ catalogue: Catalogue; provider: ProviderRecord }> {
  await tx.lock(['catalogue!'])
  const catalogue = await loadCatalogue(tx.db)
  return { catalogue, provider: requireProviderRecord(catalogue, id) }
}

/** Returns the provider with the given id; throws a refusal for an unknown id. */
export function requireProviderRecord(catalogue: Catalogue, id: number): ProviderRecord {
  const provider = catalogue.provider(id)
  if (!provider) throw refusal('provider_not_found')
  return provider
}
