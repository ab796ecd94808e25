import type { ProviderRecord } from './providers/provider.ts'
import type { Service } from './services/service.ts'
import type { PreviousSecret, Site } from './site/site.ts'

/** The site with its services and providers. Objects are identical while the version is the same. */
export interface Catalogue {
  readonly version: string
  readonly site: Site
  /** The site's secret as hex; never leaves the service. */
  readonly secret: string
  readonly previousSecret: PreviousSecret | null
  /** By creation. */
  readonly services: readonly Service[]
  /** Ascending by id. */
  readonly providers: readonly ProviderRecord[]
  service(id: string): Service | undefined
  provider(id: number): ProviderRecord | undefined
}
