import { loadAssigned } from '../availability/plan.sql.ts'
import { requireService } from '../catalogue/catalogue.operations.ts'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import { handles } from '../catalogue/providers/provider.ts'
import { effectiveSettings } from '../catalogue/services/service.ts'
import type { ReadDatabase } from '../db/database.ts'
import { choiceOf } from '../reservations/list/reservation-list.operations.ts'
import { listMatching } from '../reservations/list/reservation-search.sql.ts'
import { nextInLine, portions } from '../scheduling/routing/fairness.ts'
import { neverAssigned } from '../scheduling/routing/routing.ts'
import { daysOf, type Period } from './period.operations.ts'
import { countByProvider } from './period.sql.ts'

const maxReasons = 20

/**
 * Returns how a service's reservations in a period are distributed over the providers, with each provider's fair share
 * (see `Portion`) and the provider that the service's routing would choose for the next reservation if all were free.
 * Also returns how the providers of the last `maxReasons` reservations of the period (by start) were chosen.
 */
export function showFairness(db: ReadDatabase, serviceId: string, period: Period) {
  return db.snapshot(async (read) => {
    const catalogue = await loadCatalogue(read)
    const service = requireService(catalogue, serviceId)
    const days = daysOf(period, catalogue.site.timezone)
    const [from, until] = [days[0]?.start ?? 0, days.at(-1)?.end ?? 0]
    const got = await countByProvider(read, serviceId, { start: from, end: until })
    const assigned = await loadAssigned(read, [serviceId])
    const last = await listMatching(read, { serviceId, from, until }, '-start', { limit: maxReasons, offset: 0 })
    const mode = service.settings.routingMode
    const members = catalogue.providers
      .filter((provider) => handles(provider, serviceId))
      .map((provider) => ({
        rule: effectiveSettings(service, provider.id, provider.services.get(serviceId)),
        assigned: assigned.get(serviceId)?.get(provider.id) ?? neverAssigned,
        got: got.get(provider.id) ?? 0,
      }))
    const named = (id: number) => ({ id, name: catalogue.provider(id)?.name ?? '' })
    const next = nextInLine(mode, members)
    const sharing = new Set(members.map(({ rule }) => rule.providerId))
    return {
      service: { id: service.id, name: service.name },
      mode,
      next: next === undefined ? null : named(next),
      providers: portions(mode, members).map(({ member, ...portion }) => ({
        ...named(member.rule.providerId),
        ...portion,
        weight: member.rule.weight,
        priority: member.rule.priority,
        got: member.got,
        assigned: member.assigned.count,
        lastAt: member.assigned.count === 0 ? null : member.assigned.lastAt,
      })),
      others: [...got].filter(([id]) => !sharing.has(id)).map(([id, had]) => ({ ...named(id), got: had })),
      last: last.map(({ reservation }) => ({
        id: reservation.id,
        start: reservation.start,
        provider: named(reservation.providerId),
        choice: choiceOf(catalogue, reservation),
      })),
    }
  })
}
