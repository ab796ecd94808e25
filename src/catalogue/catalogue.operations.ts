import type { Tx } from '../db/perform/app.ts'
import { together } from '../db/together.ts'
import { message } from '../messages/message.ts'
import { fieldRefusal, Refusal } from '../messages/refusal.ts'
import { loadCatalogue } from './catalogue.sql.ts'
import type { Catalogue } from './catalogue.ts'
import type { Provider } from './providers/provider.ts'
import type { Service } from './services/service.ts'

/**
 * Loads the catalogue (the site, its services and providers) and locks it in shared mode until the transaction ends, so
 * that no other transaction changes it.
 */
export async function lockCatalogue(tx: Tx): Promise<Catalogue> {
  const [, catalogue] = await together([tx.lock(['catalogue']), loadCatalogue(tx.db)])
  return catalogue
}

/** Returns the service with the given id; throws a refusal of the field `serviceId` for an unknown id. */
export function requireService(catalogue: Catalogue, id: string): Service {
  const service = catalogue.service(id)
  if (!service) throw fieldRefusal('serviceId', 'service_not_found')
  return service
}

/** Throws a refusal of the field `field`, a list of service ids, for unknown ids. */
export function requireServices(catalogue: Catalogue, field: string, ids: readonly string[]): void {
  const unknown = ids.filter((id) => !catalogue.service(id))
  if (unknown.length === 0) return
  throw new Refusal({
    code: 'service_not_found',
    message: message('services_not_found'),
    details: { [field]: message('no_services_with_ids', { ids: unknown }) },
  })
}

/** Returns the provider with the given id; throws a refusal of the field `providerId` for an unknown id. */
export function requireProvider(catalogue: Catalogue, id: number): Provider {
  const provider = catalogue.provider(id)
  if (!provider) throw fieldRefusal('providerId', 'provider_not_found')
  return provider
}
