import { handles, type KeptProvider } from '../../catalogue/providers/provider.ts'
import { type Rule, resolveRule, type Service } from '../../catalogue/services/service.ts'
import type { Site } from '../../catalogue/site/site.ts'
import type { Customer } from '../../customers/customer.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import type { Planned } from './match.operations.ts'

/** The site as it is once the rest of the file is applied, and how entries name its rows. */
export interface World {
  readonly site: Site
  readonly providers: readonly KeptProvider[]
  service(reference: string): Service | undefined
  provider(reference: string | number): KeptProvider | undefined
  customer(reference: string): Customer | undefined
}

/** An entry with what it refers to. */
export interface PlannedReservation extends Planned<Reservation> {
  readonly at: number
  readonly service: Service
  readonly provider: KeptProvider
  readonly name: string
}

/** The rule of an imported appointment: a collective one follows the service alone, whoever its providers are. */
export function ruleOf(service: Service, provider: KeptProvider): Rule {
  const own = service.settings.routingMode === 'collective' ? undefined : provider.services.get(service.id)
  return resolveRule(service, provider.id, own)
}

/** Everyone whose time the reservation takes, with the rule it follows there. */
export function occupiedBy({ service, provider }: PlannedReservation, world: World): Rule[] {
  if (service.settings.routingMode !== 'collective') return [ruleOf(service, provider)]
  const together = world.providers.filter((one) => one.id === provider.id || handles(one, service.id))
  return together.map((one) => ruleOf(service, one))
}
