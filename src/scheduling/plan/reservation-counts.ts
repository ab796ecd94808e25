import type { Interval } from '../time/interval.ts'
import { lowerBound } from '../time/lower-bound.ts'
import type { Booked } from './plan.ts'

/** Reservations sorted by start (Unix seconds), indexed to count those between two instants. */
export interface ReservationCounts {
  readonly starts: readonly number[]
  /** Element i is the total length in seconds of the first i reservations; one element longer than `starts`. */
  readonly secondsBefore: readonly number[]
}

/** Sorts and indexes reservations, given in any order, so that those between two instants can be counted. */
export function countReservations(booked: readonly Booked[]): ReservationCounts {
  const sorted = [...booked].sort((one, other) => one.start - other.start)
  const secondsBefore = [0]
  for (const one of sorted) secondsBefore.push((secondsBefore.at(-1) ?? 0) + one.end - one.start)
  return { starts: sorted.map((one) => one.start), secondsBefore }
}

/** Returns how many reservations start within the interval. */
export function countWithin({ starts }: ReservationCounts, within: Interval): number {
  return lowerBound(starts, within.end) - lowerBound(starts, within.start)
}

/** Returns the total length in seconds of the reservations that start within the interval; each counts in full. */
export function reservedSecondsWithin({ starts, secondsBefore }: ReservationCounts, within: Interval): number {
  return (secondsBefore[lowerBound(starts, within.end)] ?? 0) - (secondsBefore[lowerBound(starts, within.start)] ?? 0)
}
