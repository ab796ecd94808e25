import type { ProviderRecord } from './providers/provider.ts'
import type { Service } from './services/service.ts'
import type { PreviousSecret, Site } from './site/site.ts'

/**
 * The site, its services and providers. While a version is cached, all readers in a thread receive the same objects.
 */
export interface Catalogue {
  readonly version: string
  readonly site: Site
  /**
   * The site's secret as hexadecimal text; it is never sent to clients. The secret signs forms and links. Slot ids are
   * computed from the slot with a key derived from the secret, so that clients cannot create them.
   */
  readonly secret: string
  readonly previousSecret: PreviousSecret | null
  /** The services in the order of creation. */
  readonly services: readonly Service[]
  /** The providers in ascending order of ids. */
  readonly providers: readonly ProviderRecord[]
  service(id: string): Service | undefined
  provider(id: number): ProviderRecord | undefined
}

/** The secrets of a site that sign links and forms: the current one and, after a rotation, the one before. */
export type SiteSecrets = Pick<Catalogue, 'secret' | 'previousSecret'>

/** Returns the secrets whose signatures are accepted, the current one first. */
export function acceptedSecrets({ secret, previousSecret }: SiteSecrets): readonly [string, ...string[]] {
  return previousSecret ? [secret, previousSecret.secret] : [secret]
}
