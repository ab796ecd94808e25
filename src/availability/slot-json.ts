import { type SlotList, slotsOf } from '../scheduling/listing/slot-list.ts'
import { isEmpty } from '../scheduling/opening-hours.ts'
import type { Slot } from '../scheduling/plan/plan.ts'
import { slotIds } from './slot-id.ts'

/** Slots as they are sent, each with a comma before it; slot `i` is the bytes from `offsets[i]` to `offsets[i + 1]`. */
export interface SlotJson {
  readonly bytes: Uint8Array
  /** The same without the comma before the first slot. */
  readonly leading: Uint8Array
  /** Rising. */
  readonly starts: Float64Array
  /** Under whom each slot is listed. */
  readonly providers: Float64Array
  readonly offsets: Uint32Array
}

/** What a slot shows before and after its start; many slots of a list have the same. */
interface Frame {
  readonly before: string
  readonly after: string
  /** Bytes that the text takes beyond one a character. */
  readonly wide: number
}

/** A text of each list, every slot with its id as of `now`. Many short lists take little more than a long one. */
export function slotsAsJson(
  lists: readonly SlotList[],
  made: { readonly secret: string; readonly now: number },
): SlotJson[] {
  const slots = lists.map(slotsOf)
  const ids = slotIdsOf(slots.flat(), made)
  const frames = new Map<readonly number[], Frame>()
  let first = 0
  return slots.map((own) => {
    first += own.length
    return textOf(own, ids, first - own.length, frames)
  })
}

/** The id of each slot, in their order. */
export function slotIdsOf(
  slots: readonly Slot[],
  { secret, now }: { readonly secret: string; readonly now: number },
): readonly string[] {
  const [one] = slots
  if (!one) return []
  if (slots.every(({ serviceId }) => serviceId === one.serviceId)) return slotIds(secret, one.serviceId, now, slots)
  const ids = new Array<string>(slots.length)
  const places = Map.groupBy(slots.keys(), (index) => slots[index]?.serviceId ?? '')
  for (const [serviceId, indexes] of places) {
    const own = indexes.map((index) => slots[index] ?? one)
    for (const [at, id] of slotIds(secret, serviceId, now, own).entries()) ids[indexes[at] ?? 0] = id
  }
  return ids
}

function textOf(
  slots: readonly Slot[],
  ids: readonly string[],
  firstId: number,
  frames: Map<readonly number[], Frame>,
): SlotJson {
  const starts = new Float64Array(slots.length)
  const providers = new Float64Array(slots.length)
  const offsets = new Uint32Array(slots.length + 1)
  let text = ''
  let wide = 0
  for (let index = 0; index < slots.length; index += 1) {
    const slot = slots[index]
    if (!slot) break
    const frame = frameOf(slot, frames)
    text += `,{"availabilityId":"${ids[firstId + index]}${frame.before}${slot.start},"end":${slot.end}${frame.after}`
    wide += frame.wide
    starts[index] = slot.start
    providers[index] = slot.providerId
    offsets[index + 1] = text.length + wide
  }
  const bytes = Buffer.from(text, wide === 0 ? 'latin1' : 'utf8')
  return { bytes, leading: bytes.subarray(1), starts, providers, offsets }
}

/**
 * A text of one service with the slots of some providers replaced by `own`, which are theirs; the bytes of all others are
 * copied as they are. Both rise by start, then by provider.
 */
export function withOwn(text: SlotJson, of: ReadonlySet<number>, own: SlotJson): SlotJson {
  const most = text.starts.length + own.starts.length
  const [starts, providers, offsets] = [new Float64Array(most), new Float64Array(most), new Uint32Array(most + 1)]
  const bytes = Buffer.allocUnsafe(text.bytes.length + own.bytes.length)
  let count = 0
  const take = (from: SlotJson, first: number, after: number): void => {
    if (first >= after) return
    const begin = from.offsets[first] ?? 0
    const moved = (offsets[count] ?? 0) - begin
    bytes.set(from.bytes.subarray(begin, from.offsets[after]), begin + moved)
    starts.set(from.starts.subarray(first, after), count)
    providers.set(from.providers.subarray(first, after), count)
    for (let index = first; index < after; index += 1) offsets[++count] = (from.offsets[index + 1] ?? 0) + moved
  }
  let [first, next] = [0, 0]
  for (let index = 0; index < text.starts.length; index += 1) {
    const gone = of.has(text.providers[index] ?? 0)
    const before = next
    while (next < own.starts.length && isBefore(own, next, text, index)) next += 1
    if (!gone && next === before) continue
    take(text, first, index)
    take(own, before, next)
    first = gone ? index + 1 : index
  }
  take(text, first, text.starts.length)
  take(own, next, own.starts.length)
  const whole = bytes.subarray(0, offsets[count])
  return {
    bytes: whole,
    leading: whole.subarray(1),
    starts: starts.subarray(0, count),
    providers: providers.subarray(0, count),
    offsets: offsets.subarray(0, count + 1),
  }
}

function isBefore(one: SlotJson, at: number, other: SlotJson, index: number): boolean {
  const [start, than] = [one.starts[at] ?? 0, other.starts[index] ?? 0]
  return start < than || (start === than && (one.providers[at] ?? 0) < (other.providers[index] ?? 0))
}

/** Slots of one provider that have nothing special share the list of who is eligible, and so their frame. */
function frameOf(slot: Slot, frames: Map<readonly number[], Frame>): Frame {
  const plain = slot.bookable && slot.reservationsCount === 0 && isEmpty(slot.overrides)
  if (!plain) return makeFrame(slot)
  const known = frames.get(slot.eligibleProviderIds)
  if (known) return known
  const made = makeFrame(slot)
  frames.set(slot.eligibleProviderIds, made)
  return made
}

function makeFrame(slot: Slot): Frame {
  const { serviceId, providerId, bookable, routingMode, eligibleProviderIds, reservationsCount, overrides } = slot
  const before = `","serviceId":${JSON.stringify(serviceId)},"providerId":${providerId},"start":`
  const eligible = `"routingMode":"${routingMode}","eligibleProviderIds":[${eligibleProviderIds.join(',')}]`
  const differing = JSON.stringify(overrides)
  const after = `,"bookable":${bookable},${eligible},"reservationsCount":${reservationsCount},"overrides":${differing}}`
  // Nothing else in a slot was written by a person.
  return { before, after, wide: Buffer.byteLength(differing) - differing.length }
}
