import type { Slot } from '../../scheduling/plan/plan.ts'
import { type Interval, overlaps } from '../../scheduling/time/interval.ts'

/** A reservation that cannot take place because a provider is absent. */
export interface Affected extends Interval {
  readonly id: string
  readonly serviceId: string
  readonly customerId: string
}

/** A free time with a provider to which a reservation can move. */
export interface Suggestion extends Interval {
  readonly providerId: number
}

/** The settings of a service at one provider that decide whether a time has room for another reservation. */
export interface Room {
  readonly bufferBefore: number
  readonly bufferAfter: number
  readonly capacity: number
}

/** The absent provider and the period of the absence. */
export interface Absence extends Interval {
  readonly providerId: number
}

const maxColleagues = 5
const maxOtherTimes = 5

/** Suggests new times for affected reservations, one reservation after another. */
export interface Suggester {
  /**
   * Returns available times for a reservation among slots of its service: first the same time with up to five other
   * providers, then up to five other starts with one provider each, ordered by their distance from the original start.
   */
  suggest(of: Affected, slots: readonly Slot[]): readonly Suggestion[]
  /**
   * Records that a reservation moves to a suggested time, without storing it in the database, so that later suggestions
   * count the seat as taken and respect the customer's new time.
   */
  take(of: Affected, to: Suggestion): void
}

/**
 * Whether the suggestions contain enough times other than the original start, so that later days need not be searched.
 */
export function hasEnoughTimes(suggestions: readonly Suggestion[], { start }: Affected): boolean {
  return suggestions.filter((one) => one.start !== start).length >= maxOtherTimes
}

/**
 * Creates the `Suggester` for an absence. `roomOf` returns the settings of a service with a provider; undefined if the
 * service or the provider is unknown.
 */
export function suggesterFor(
  absence: Absence,
  roomOf: (serviceId: string, providerId: number) => Room | undefined,
): Suggester {
  const taken: (Suggestion & { readonly slot: string })[] = []
  const visits: (Interval & { readonly customerId: string })[] = []

  const fits = (of: Affected, slot: Slot, to: Suggestion): boolean => {
    const room = roomOf(of.serviceId, to.providerId)
    if (!room || visits.some((visit) => visit.customerId === of.customerId && overlaps(visit, to))) return false
    const time = withBuffers(to, room)
    const near = taken.filter((one) => one.providerId === to.providerId && overlaps(one, time))
    const seats = (slot.overrides.capacity ?? room.capacity) - slot.reservationsCount
    return near.every((one) => one.slot === slotOf(of, to)) && near.length < seats
  }

  return {
    suggest(of, slots) {
      const free = slots.flatMap((slot) => choicesIn(slot, absence).filter((to) => fits(of, slot, to)))
      const colleagues = free.filter(({ start }) => start === of.start).slice(0, maxColleagues)
      const away = ({ providerId }: Suggestion): number => (providerId === absence.providerId ? 0 : 1)
      const distance = ({ start }: Suggestion): number => Math.abs(start - of.start)
      const others = free
        .filter(({ start }) => start !== of.start)
        // Of times at the same distance from the original start, those with the absent provider come first.
        .sort((one, other) => distance(one) - distance(other) || away(one) - away(other))
      return [...colleagues, ...oncePerStart(others).slice(0, maxOtherTimes)]
    },
    take(of, to) {
      const room = roomOf(of.serviceId, to.providerId)
      if (room) taken.push({ ...to, ...withBuffers(to, room), slot: slotOf(of, to) })
      visits.push({ start: to.start, end: to.end, customerId: of.customerId })
    },
  }
}

/**
 * Returns one suggestion for each provider that the slot can be booked with; the absent provider is left out if the
 * slot overlaps the absence. A slot of a collective service, which several providers give together, has one suggestion,
 * or none if it overlaps the absence and needs the absent provider.
 */
function choicesIn(slot: Slot, absence: Absence): Suggestion[] {
  const { bookable, routingMode, providerId, eligibleProviderIds, start, end } = slot
  if (!bookable) return []
  const during = overlaps({ start, end }, absence)
  if (routingMode === 'collective')
    return during && eligibleProviderIds.includes(absence.providerId) ? [] : [{ providerId, start, end }]
  return [...new Set([providerId, ...eligibleProviderIds])]
    .filter((id) => !during || id !== absence.providerId)
    .map((id) => ({ providerId: id, start, end }))
}

function oncePerStart(sorted: readonly Suggestion[]): Suggestion[] {
  return sorted.filter(({ start }, index) => sorted.findIndex((one) => one.start === start) === index)
}

function slotOf({ serviceId }: Affected, { start, end }: Interval): string {
  return `${serviceId} ${start} ${end}`
}

function withBuffers({ start, end }: Interval, { bufferBefore, bufferAfter }: Room): Interval {
  return { start: start - bufferBefore, end: end + bufferAfter }
}
