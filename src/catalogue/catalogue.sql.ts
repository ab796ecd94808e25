import type { Database } from '../db/database.ts'
import type { Catalogue } from './catalogue.ts'
import { listProviders } from './providers/providers.sql.ts'
import { listServices } from './services/services.sql.ts'
import { loadCatalogueVersion, loadSite } from './site/site.sql.ts'

// Catalogue versions are random and therefore unique among all databases, so that one cache serves all databases that
// this thread reads.
const cachedByVersion = new Map<string, Catalogue>()
const maxCached = 8

/**
 * Loads the current catalogue, from the cache if its version is cached. An operation that changes the catalogue must
 * load it before its first write. Otherwise, the cache would store the changed rows under the previous version.
 */
export async function loadCatalogue(db: Database): Promise<Catalogue> {
  const found = cachedByVersion.get(await loadCatalogueVersion(db))
  if (found) return found
  const read = await readCatalogue(db)
  // Outside of a snapshot, a change may commit between the queries, so that their results mix two versions; the
  // catalogue is then loaded again.
  if ((await loadCatalogueVersion(db)) !== read.version) return loadCatalogue(db)
  return remember(read)
}

async function readCatalogue(db: Database): Promise<Catalogue> {
  const { site, secret, previousSecret, linkSecret, version } = await loadSite(db)
  const services = await listServices(db)
  const providers = await listProviders(db)
  const serviceById = new Map(services.map((service) => [service.id, service]))
  const providerById = new Map(providers.map((provider) => [provider.id, provider]))
  return {
    version,
    site,
    secret,
    previousSecret,
    linkSecret,
    services,
    providers,
    service: (id) => serviceById.get(id),
    provider: (id) => providerById.get(id),
  }
}

/**
 * Caches a catalogue by its version and returns the cached one, so that all readers of a version receive the same
 * objects. The catalogues that were cached first are evicted first.
 */
function remember(read: Catalogue): Catalogue {
  const first = cachedByVersion.get(read.version)
  if (first) return first
  for (const oldest of cachedByVersion.keys()) {
    if (cachedByVersion.size < maxCached) break
    cachedByVersion.delete(oldest)
  }
  cachedByVersion.set(read.version, read)
  return read
}
