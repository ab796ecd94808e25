import { handles, type ProviderRecord } from '../../catalogue/providers/provider.ts'
import { type EffectiveSettings, effectiveSettings, type Service } from '../../catalogue/services/service.ts'
import type { Site } from '../../catalogue/site/site.ts'
import type { Customer } from '../../customers/customer.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import type { AssignedEntry } from '../site-file.ts'
import type { PlannedRow } from './match.operations.ts'

/**
 * The site after the settings, services, providers and customers of a JSON site file are applied, with lookups by key
 * or id.
 */
export interface SiteState {
  readonly site: Site
  readonly providers: readonly ProviderRecord[]
  service(reference: string): Service | undefined
  provider(reference: string | number): ProviderRecord | undefined
  customer(reference: string): Customer | undefined
}

/**
 * A planned reservation with the index of its entry in the JSON site file, the service and provider to which the entry
 * refers, a text that names the reservation in reports, and its assignment if the entry has one.
 */
export interface PlannedReservation extends PlannedRow<Reservation> {
  readonly at: number
  readonly service: Service
  readonly provider: ProviderRecord
  readonly name: string
  readonly assigned: AssignedEntry | undefined
}

/**
 * Returns the effective settings of an imported appointment: those of the service, overridden by the provider's own.
 * For a collective service, whose appointments occupy all of its providers, the provider's own settings are ignored.
 */
export function settingsOf(service: Service, provider: ProviderRecord): EffectiveSettings {
  const own = service.settings.routingMode === 'collective' ? undefined : provider.services.get(service.id)
  return effectiveSettings(service, provider.id, own)
}

/**
 * Returns the settings of each provider that the reservation occupies: its own provider and, for a collective service,
 * every other provider who gives the service.
 */
export function occupiedBy({ service, provider }: PlannedReservation, world: SiteState): EffectiveSettings[] {
  if (service.settings.routingMode !== 'collective') return [settingsOf(service, provider)]
  const together = world.providers.filter((one) => one.id === provider.id || handles(one, service.id))
  return together.map((one) => settingsOf(service, one))
}
