import { handles, type ProviderRecord } from '../../catalogue/providers/provider.ts'
import { type EffectiveSettings, effectiveSettings, type Service } from '../../catalogue/services/service.ts'
import type { Site } from '../../catalogue/site/site.ts'
import type { Customer } from '../../customers/customer.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import type { PlannedRow } from './match.operations.ts'

/** The site as it is once the rest of the file is applied, and how entries name its rows. */
export interface SiteState {
  readonly site: Site
  readonly providers: readonly ProviderRecord[]
  service(reference: string): Service | undefined
  provider(reference: string | number): ProviderRecord | undefined
  customer(reference: string): Customer | undefined
}

/** An entry with what it refers to. */
export interface PlannedReservation extends PlannedRow<Reservation> {
  readonly at: number
  readonly service: Service
  readonly provider: ProviderRecord
  readonly name: string
}

/** The settings of an imported appointment; a collective one follows the service's settings alone. */
export function settingsOf(service: Service, provider: ProviderRecord): EffectiveSettings {
  const own = service.settings.routingMode === 'collective' ? undefined : provider.services.get(service.id)
  return effectiveSettings(service, provider.id, own)
}

/** Everyone whose time the reservation takes, with the rule it follows there. */
export function occupiedBy({ service, provider }: PlannedReservation, world: SiteState): EffectiveSettings[] {
  if (service.settings.routingMode !== 'collective') return [settingsOf(service, provider)]
  const together = world.providers.filter((one) => one.id === provider.id || handles(one, service.id))
  return together.map((one) => settingsOf(service, one))
}
