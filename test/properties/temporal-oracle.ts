import type { Slot } from '../../src/scheduling/plan/plan.ts'
import type { Interval } from '../../src/scheduling/time/interval.ts'

/**
 * The input of `plainSlots`: dates and opening windows of one provider in one time zone, the duration of a slot in
 * minutes, and busy times in Unix seconds.
 */
export interface PlainQuestion {
  readonly zone: string
  readonly firstDate: string
  readonly days: number
  /** The opening windows of Monday to Friday, each as two wall times. */
  readonly hours: readonly (readonly [string, string])[]
  readonly minutes: number
  readonly busy: readonly Interval[]
}

/**
 * Returns the free slots of a provider, computed in the plainest way with Temporal; a benchmark compares the speed of
 * the scheduling engine with the speed of this function.
 */
export function plainSlots({ zone, firstDate, days, hours, minutes, busy }: PlainQuestion): Slot[] {
  const slots: Slot[] = []
  for (let day = 0; day < days; day += 1) {
    const date = Temporal.PlainDate.from(firstDate).add({ days: day })
    if (date.dayOfWeek > 5) continue
    for (const [opens, closes] of hours) {
      const close = date.toZonedDateTime({ timeZone: zone, plainTime: closes })
      let start = date.toZonedDateTime({ timeZone: zone, plainTime: opens })
      for (
        let end = start.add({ minutes });
        Temporal.ZonedDateTime.compare(end, close) <= 0;
        end = end.add({ minutes })
      ) {
        const slot = directSlot(start.epochMilliseconds / 1000, end.epochMilliseconds / 1000)
        if (!busy.some((taken) => taken.start < slot.end && taken.end > slot.start)) slots.push(slot)
        start = end
      }
    }
  }
  return slots
}

/** Returns what `plainSlots` returns, but uses Temporal only for the ends of each window and numbers in between. */
export function sparingSlots({ zone, firstDate, days, hours, minutes, busy }: PlainQuestion): Slot[] {
  const slots: Slot[] = []
  for (let day = 0; day < days; day += 1) {
    const date = Temporal.PlainDate.from(firstDate).add({ days: day })
    if (date.dayOfWeek > 5) continue
    for (const [opens, closes] of hours) {
      const last = date.toZonedDateTime({ timeZone: zone, plainTime: closes }).epochMilliseconds / 1000 - minutes * 60
      let start = date.toZonedDateTime({ timeZone: zone, plainTime: opens }).epochMilliseconds / 1000
      for (; start <= last; start += minutes * 60) {
        const end = start + minutes * 60
        if (!busy.some((taken) => taken.start < end && taken.end > start)) slots.push(directSlot(start, end))
      }
    }
  }
  return slots
}

function directSlot(start: number, end: number): Slot {
  return {
    serviceId: 's_1',
    providerId: 1,
    start,
    end,
    bookable: true,
    routingMode: 'direct',
    eligibleProviderIds: [1],
    reservationsCount: 0,
    overrides: {},
  }
}
