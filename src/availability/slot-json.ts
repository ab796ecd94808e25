import { isEmpty } from '../scheduling/opening-hours.ts'
import type { Slot } from '../scheduling/plan/plan.ts'
import type { SlotText } from './cache/slot-text.ts'
import { slotIds } from './slot-id.ts'

/**
 * The JSON of a slot without its id, start and end: the part between the id and the start, and the part after the end.
 */
interface Frame {
  /** The slot whose JSON it is. */
  readonly slot: Slot
  readonly before: string
  readonly after: string
  /**
   * The number of UTF-8 bytes of `before` and `after` minus their length in UTF-16 code units; needed for the byte
   * offsets of the slots.
   */
  readonly extraBytes: number
}

/** Returns the JSON of one service's slots with their ids at `now`, in the order of `slots`. */
export function slotText(slots: readonly Slot[], { secret, now }: { secret: string; now: number }): SlotText {
  const [one] = slots
  const ids = one ? slotIds(secret, one.serviceId, now, slots) : []
  const starts = new Float64Array(slots.length)
  const offsets = new Uint32Array(slots.length + 1)
  let frame: Frame | undefined
  let text = ''
  let extra = 0
  for (const [index, slot] of slots.entries()) {
    if (!frame || !differOnlyInTimes(slot, frame.slot)) frame = frameOf(slot)
    text += `,{"availabilityId":"${ids[index]}${frame.before}${slot.start},"end":${slot.end}${frame.after}`
    extra += frame.extraBytes
    starts[index] = slot.start
    offsets[index + 1] = text.length + extra
  }
  return { bytes: Buffer.from(text, extra === 0 ? 'latin1' : 'utf8'), starts, offsets }
}

/** Returns the ids that slots have at `now`, in the order of `slots`; the slots may belong to different services. */
export function slotIdsOf(
  slots: readonly Slot[],
  { secret, now }: { readonly secret: string; readonly now: number },
): readonly string[] {
  const ids = new Array<string>(slots.length)
  for (const [serviceId, indexes] of Map.groupBy(slots.keys(), (index) => slots[index]?.serviceId ?? '')) {
    const own = indexes.flatMap((index) => slots[index] ?? [])
    for (const [at, id] of slotIds(secret, serviceId, now, own).entries()) ids[indexes[at] ?? 0] = id
  }
  return ids
}

/**
 * Whether it is certain that the JSON of two slots of one service differs only in ids and times. Reusing the JSON
 * around the times halves the time that building a list takes, except for a pool, whose slots each have their own list
 * of eligible providers.
 */
function differOnlyInTimes(one: Slot, other: Slot): boolean {
  return one.eligibleProviderIds === other.eligibleProviderIds && isPlain(one) && isPlain(other)
}

/** Whether a slot is bookable, without reservations and without overrides (properties of single slots). */
function isPlain(slot: Slot): boolean {
  return slot.bookable && slot.reservationsCount === 0 && isEmpty(slot.overrides)
}

function frameOf(slot: Slot): Frame {
  const { serviceId, providerId, bookable, routingMode, eligibleProviderIds, reservationsCount, overrides } = slot
  const before = `","serviceId":${JSON.stringify(serviceId)},"providerId":${providerId},"start":`
  const eligible = `"routingMode":"${routingMode}","eligibleProviderIds":${JSON.stringify(eligibleProviderIds)}`
  const differing = JSON.stringify(overrides)
  const after = `,"bookable":${bookable},${eligible},"reservationsCount":${reservationsCount},"overrides":${differing}}`
  // Only overrides (properties of single slots, set by an override of dates or by a calendar event) contain text of
  // users, so only they can have characters of more than one byte.
  return { slot, before, after, extraBytes: Buffer.byteLength(differing) - differing.length }
}
