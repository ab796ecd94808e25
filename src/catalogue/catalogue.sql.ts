import type { Database } from '../db/database.ts'
import type { Catalogue } from './catalogue.ts'
import { listProviders } from './providers/providers.sql.ts'
import { listServices } from './services/services.sql.ts'
import { loadCatalogueVersion, loadSite } from './site/site.sql.ts'

// Versions are random and never used twice, so one table serves whatever databases this process has open.
const known = new Map<string, Catalogue>()
const mostKnown = 8

/**
 * The catalogue as of now. An operation that changes it asks before its first write: what it writes belongs to the
 * version that `bumpCatalogue` gives it.
 */
export async function loadCatalogue(db: Database): Promise<Catalogue> {
  const found = known.get(await loadCatalogueVersion(db))
  if (found) return found
  const read = await readCatalogue(db)
  // Outside a snapshot a change may commit between the queries; what they found would then be of two versions.
  if ((await loadCatalogueVersion(db)) !== read.version) return loadCatalogue(db)
  return remember(read)
}

async function readCatalogue(db: Database): Promise<Catalogue> {
  const { site, secret, previousSecret, version } = await loadSite(db)
  const services = await listServices(db)
  const providers = await listProviders(db)
  const serviceById = new Map(services.map((service) => [service.id, service]))
  const providerById = new Map(providers.map((provider) => [provider.id, provider]))
  return {
    version,
    site,
    secret,
    previousSecret,
    services,
    providers,
    service: (id) => serviceById.get(id),
    provider: (id) => providerById.get(id),
  }
}

/** Two readers of one version are given the same objects, whoever was first. */
function remember(read: Catalogue): Catalogue {
  const first = known.get(read.version)
  if (first) return first
  for (const oldest of known.keys()) {
    if (known.size < mostKnown) break
    known.delete(oldest)
  }
  known.set(read.version, read)
  return read
}
