import { handles, type Provider } from '../../catalogue/providers/provider.ts'
import { type EffectiveSettings, effectiveSettings, isPool, type Service } from '../../catalogue/services/service.ts'
import type { Window } from '../../scheduling/opening-hours.ts'
import type { Assigned } from '../../scheduling/plan/plan.ts'
import { choose, neverAssigned, type RoutingCandidate, reasonFor } from '../../scheduling/routing/routing.ts'
import { type Interval, overlaps } from '../../scheduling/time/interval.ts'
import type { ReservationEntry } from '../../site-file/site-file.ts'

/** A generated reservation, whose provider is given by id and whose start in Unix seconds. */
export interface DemoEntry extends ReservationEntry {
  readonly provider: number
  readonly start: number
}

/** The data from which the providers of the generated reservations are chosen. */
export interface DemoRouting {
  readonly providers: readonly { readonly provider: Provider; readonly windows: readonly Window[] }[]
  readonly services: ReadonlyMap<string, Service>
  /** By provider, the times of the uncancelled reservations; those of reservations that change provider are moved. */
  readonly busy: Map<number, Interval[]>
  readonly now: number
}

/** How long before its start a reservation of the demo is taken to have been booked, unless that is after `now`. */
const bookedAhead = 2 * 86_400

/**
 * Returns the generated reservations in the order of their starts, which is also that of booking, with the assignments
 * that a booking would have stored. For a reservation of a pool (a service that chooses among its providers), the routing
 * mode of the service picks one of the providers who are free.
 */
export function routedReservations(entries: readonly DemoEntry[], routing: DemoRouting): ReservationEntry[] {
  const assigned = new Map<string, Assigned>()
  return entries
    .toSorted((one, other) => one.start - other.start)
    .map((entry, turn) => {
      const service = routing.services.get(entry.service)
      if (!service) return entry
      const mode = service.settings.routingMode
      const candidates = eligible(entry, service, routing).map((rule) => candidateOf(rule, assigned))
      const occasion = { bucket: 0, start: entry.start }
      const picked = choose(mode, candidates, occasion)
      if (!picked) return entry
      const { providerId } = picked.rule
      const at = Math.max(0, Math.min(entry.start - bookedAhead, routing.now))
      const because = {
        mode,
        eligible: candidates.map(({ rule }) => rule.providerId),
        chosen: providerId,
        picked: providerId,
        because: reasonFor(mode, picked, occasion),
      }
      assigned.set(`${service.id} ${providerId}`, { count: picked.assigned.count + 1, lastAt: at, turn: turn + 1 })
      if (providerId !== entry.provider) move(entry, picked.rule, routing)
      return { ...entry, provider: providerId, assigned: { at, because } }
    })
}

/** Returns the settings of the providers of whom routing chooses, in the order of `providers`. */
function eligible(entry: DemoEntry, service: Service, { providers, busy }: DemoRouting): EffectiveSettings[] {
  const rules = providers
    .filter(({ provider }) => handles(provider, service.id))
    .map(({ provider, windows }) => ({
      rule: effectiveSettings(service, provider.id, provider.services.get(service.id)),
      windows,
    }))
  const { routingMode } = service.settings
  if (routingMode === 'collective') return rules.map(({ rule }) => rule)
  const own = rules.find(({ rule }) => rule.providerId === entry.provider)?.rule
  if (!isPool(routingMode) || !own) return own ? [own] : []
  const time = timeOf(entry, own)
  return rules.flatMap(({ rule, windows }) => {
    const isFree = !(busy.get(rule.providerId) ?? []).some((other) => overlaps(other, time))
    const isOpen = windows.some(
      ({ start, end }) => start <= time.start && time.end <= end && (entry.start - start) % rule.interval === 0,
    )
    return rule === own || (isFree && isOpen && rule.duration === own.duration) ? [rule] : []
  })
}

function candidateOf(rule: EffectiveSettings, assigned: ReadonlyMap<string, Assigned>): RoutingCandidate {
  return {
    rule,
    assigned: assigned.get(`${rule.serviceId} ${rule.providerId}`) ?? neverAssigned,
    // No service of the demo is routed to the least busy provider.
    reserved: () => 0,
  }
}

/** Moves the time of a reservation, unless it is cancelled, from its provider to the one of `rule`. */
function move(entry: DemoEntry, rule: EffectiveSettings, { busy }: DemoRouting): void {
  if (entry.status === 'cancelled') return
  const { start, end } = timeOf(entry, rule)
  busy.set(
    entry.provider,
    (busy.get(entry.provider) ?? []).filter((time) => time.start !== start),
  )
  busy.get(rule.providerId)?.push({ start, end })
}

function timeOf({ start }: Pick<DemoEntry, 'start'>, rule: EffectiveSettings): Interval {
  return { start: start - rule.bufferBefore, end: start + rule.duration + rule.bufferAfter }
}
