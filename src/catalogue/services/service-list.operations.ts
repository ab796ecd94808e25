import type { ReadDatabase } from '../../db/database.ts'
import { requireService } from '../catalogue.operations.ts'
import { loadCatalogue } from '../catalogue.sql.ts'
import type { Catalogue } from '../catalogue.ts'
import { handles } from '../providers/provider.ts'
import type { Service } from './service.ts'
import { listServiceOrder } from './service-order.sql.ts'

/** The input of `searchServices`; an undefined member does not restrict the result. */
export interface ServiceSearch {
  /** A part of the service's name or description, regardless of case. */
  readonly search: string | undefined
  readonly state: 'offered' | 'withdrawn' | undefined
}

/**
 * Returns one page of the services that match a search, in display order, with the total number of matching services.
 */
export function searchServices(
  db: ReadDatabase,
  { search = '', state }: ServiceSearch,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  return db.snapshot(async (at) => {
    const catalogue = await loadCatalogue(at)
    const wanted = search.toLowerCase()
    const found = (await listServiceOrder(at))
      .flatMap((id) => catalogue.service(id) ?? [])
      .filter(({ settings }) => state === undefined || settings.active === (state === 'offered'))
      .filter(({ name, description }) => `${name}\n${description}`.toLowerCase().includes(wanted))
    const page = found.slice(offset, offset + limit).map((service) => listedService(catalogue, service))
    return { page, total: found.length }
  })
}

function listedService(catalogue: Catalogue, { id, name, description, color, settings }: Service) {
  const { active, durationMinutes, capacity, routingMode, price, currency } = settings
  return {
    id,
    name,
    description,
    color,
    active,
    durationMinutes,
    capacity,
    routingMode,
    price,
    currency: currency ?? catalogue.site.currency,
    providers: catalogue.providers.filter((provider) => handles(provider, id)).length,
  }
}

/**
 * Returns a service with all its settings, its providers, each with the names of the settings that it overrides, and
 * the other providers; refuses an unknown id.
 */
export async function showService(db: ReadDatabase, id: string) {
  const catalogue = await loadCatalogue(db)
  const { name, description, color, settings, form } = requireService(catalogue, id)
  const providers = catalogue.providers
    .filter((provider) => handles(provider, id))
    .map((provider) => ({
      id: provider.id,
      name: provider.name,
      differs: Object.keys(provider.services.get(id) ?? {}).filter((key) => key !== 'participate'),
    }))
  const others = catalogue.providers
    .filter((provider) => !handles(provider, id))
    .map((provider) => ({ id: provider.id, name: provider.name }))
  return { id, name, description, color, settings, form, siteCurrency: catalogue.site.currency, providers, others }
}

/** Returns the booking form of a service; refuses an unknown id. */
export async function showForm(db: ReadDatabase, id: string) {
  return { fields: requireService(await loadCatalogue(db), id).form }
}
