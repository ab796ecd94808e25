import { type Slot, type SlotList, slotsOf } from '../domain/availability.ts'
import { noOverrides } from '../domain/schedule.ts'
import { slotIds } from './slot-id.ts'

/** Slots as they are sent, each with a comma before it; slot `i` is the bytes from `offsets[i]` to `offsets[i + 1]`. */
export interface SlotText {
  readonly bytes: Uint8Array
  /** The same without the comma before the first slot. */
  readonly leading: Uint8Array
  /** Rising. */
  readonly starts: Float64Array
  readonly offsets: Uint32Array
}

/** What a slot shows before and after its start; many slots of a list have the same. */
interface Frame {
  readonly before: string
  readonly after: string
  /** Bytes that the text takes beyond one a character. */
  readonly wide: number
}

/** The text of every slot with its id, cut where `borders` (rising) say: one text before each, and one for the rest. */
export function slotTexts(
  list: SlotList,
  made: { readonly secret: string; readonly now: number },
  borders: readonly number[],
): SlotText[] {
  const slots = slotsOf(list)
  const ids = identify(slots, made)
  const frames = new Map<readonly number[], Frame>()
  const texts: SlotText[] = []
  let first = 0
  for (const border of [...borders, Number.POSITIVE_INFINITY]) {
    let after = first
    while (after < slots.length && (list.starts[after] ?? border) < border) after += 1
    texts.push(textOf(slots, ids, frames, { first, after }))
    first = after
  }
  return texts
}

/** The id of each slot, in their order. */
export function identify(
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
  frames: Map<readonly number[], Frame>,
  { first, after }: { readonly first: number; readonly after: number },
): SlotText {
  const starts = new Float64Array(after - first)
  const offsets = new Uint32Array(after - first + 1)
  let text = ''
  let wide = 0
  for (let index = first; index < after; index += 1) {
    const slot = slots[index]
    if (!slot) break
    const frame = frameOf(slot, frames)
    text += `,{"availabilityId":"${ids[index]}${frame.before}${slot.start},"end":${slot.end}${frame.after}`
    wide += frame.wide
    starts[index - first] = slot.start
    offsets[index - first + 1] = text.length + wide
  }
  const bytes = Buffer.from(text, wide === 0 ? 'latin1' : 'utf8')
  return { bytes, leading: bytes.subarray(1), starts, offsets }
}

/** Slots of one provider that have nothing special share the list of who is eligible, and so their frame. */
function frameOf(slot: Slot, frames: Map<readonly number[], Frame>): Frame {
  const plain = slot.bookable && slot.reservationsCount === 0 && slot.overrides === noOverrides
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
  const rest = `"reservationsCount":${reservationsCount},"overrides":${JSON.stringify(overrides)}`
  const after = `,"bookable":${bookable},${eligible},${rest}}`
  return { before, after, wide: Buffer.byteLength(before) + Buffer.byteLength(after) - before.length - after.length }
}
