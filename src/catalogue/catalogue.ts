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
   * The site's secret as hexadecimal text; it is never sent to clients. The secret signs forms. Slot ids are computed
   * from the slot with a key derived from the secret, so that clients cannot create them.
   */
  readonly secret: string
  readonly previousSecret: PreviousSecret | null
  /** The secret that signs the links which customers get by mail, as hexadecimal text. */
  readonly linkSecret: string
  /** The services in the order of creation. */
  readonly services: readonly Service[]
  /** The providers in ascending order of ids. */
  readonly providers: readonly ProviderRecord[]
  service(id: string): Service | undefined
  provider(id: number): ProviderRecord | undefined
}

/** The secrets of a site that sign forms: the current one and, after a rotation, the one before. */
export type SiteSecrets = Pick<Catalogue, 'secret' | 'previousSecret'>

/** Seconds for which a form can be sent after it was shown. */
export const formSeconds = 86_400

/**
 * Returns the secrets whose signatures are accepted at `now`, the current one first. The one before a rotation is
 * accepted for as long as a form can be sent that was shown before the rotation.
 */
export function acceptedSecrets({ secret, previousSecret }: SiteSecrets, now: number): readonly [string, ...string[]] {
  const isAccepted = previousSecret !== null && now - previousSecret.rotatedAt < formSeconds
  return isAccepted ? [secret, previousSecret.secret] : [secret]
}
