import { type Data, sameJson } from '../data.ts'
import type { Change, EventType } from '../history/event.ts'
import { type Message, message } from '../messages/message.ts'

/** What an undo does: puts fields back, puts a reservation back into its slot, cancels, removes or adds again. */
export type Undoing = 'edit' | 'move' | 'cancel' | 'remove' | 'add'

/** What can be put back as it stood. */
export type UndoKind = 'reservation' | 'customer' | 'customer_note' | 'service' | 'provider' | 'time_off' | 'site'

/** How an entry of the log is undone, or why it is not. */
export type WayBack = { readonly of: UndoKind; readonly does: Undoing } | { readonly no: Message }

const lost = { no: message('undo_removed') }
const person = { no: message('undo_person') }
const token = { no: message('undo_token') }
const edited = (of: UndoKind): WayBack => ({ of, does: 'edit' })
const added = (of: UndoKind): WayBack => ({ of, does: 'remove' })
const gone = (of: UndoKind): WayBack => ({ of, does: 'add' })

const ways: Readonly<Record<EventType, WayBack>> = {
  'reservation.created': added('reservation'),
  'reservation.updated': edited('reservation'),
  'reservation.pending': edited('reservation'),
  'reservation.confirmed': edited('reservation'),
  'reservation.cancelled': edited('reservation'),
  'reservation.restored': edited('reservation'),
  'reservation.removed': lost,
  'reservation.zone_changed': { no: message('undo_zone_changed') },
  'customer.created': added('customer'),
  'customer.updated': edited('customer'),
  'customer.removed': gone('customer'),
  'customer.merged': { no: message('undo_customer_merged') },
  'customer.erased': { no: message('undo_customer_erased') },
  'customer_note.created': added('customer_note'),
  'customer_note.removed': lost,
  'service.created': added('service'),
  'service.updated': edited('service'),
  'service.removed': gone('service'),
  'provider.created': added('provider'),
  'provider.updated': edited('provider'),
  'provider.removed': gone('provider'),
  'time_off.created': added('time_off'),
  'time_off.updated': edited('time_off'),
  'time_off.removed': gone('time_off'),
  'host_user.created': { no: message('undo_host_user') },
  'token.created': token,
  'token.revoked': token,
  'site.updated': edited('site'),
  'site.secret_rotated': { no: message('undo_secret_rotated') },
  'user.created': person,
  'user.updated': person,
  'user.removed': person,
  'user.invited': person,
  'user.password_set': person,
  'user.second_factor_changed': person,
  'user.signed_in': person,
  'user.signed_out': person,
}

/** The fields that say in which slot a reservation is. */
export const slotFields = ['serviceId', 'providerId', 'start', 'end'] as const

/** How this entry of the log is undone. Whether something was changed again since is seen when it is. */
export function wayBack({ type, object, previous }: Pick<Change, 'type' | 'object' | 'previous'>): WayBack {
  const way = ways[type]
  if ('no' in way) return way
  const isTold = (way.does === 'add' || object) && (way.does === 'remove' || previous)
  if (!isTold) return { no: message('undo_entry_erased') }
  if (way.of !== 'reservation' || way.does !== 'edit') return way
  if (previous?.status === 'cancelled' && object?.status !== 'cancelled') return { of: way.of, does: 'cancel' }
  const moved = slotFields.some((name) => !sameJson(object?.[name], previous?.[name]))
  return moved ? { of: way.of, does: 'move' } : way
}

/** What an entry offers that stands undone. */
export const undoneAlready: WayBack = { no: message('undone_already') }

/** Which entries stand undone, of those that these undid; the newest first. One that was undone itself undid nothing. */
export function standUndone(undoings: readonly { readonly id: string; readonly undid: string }[]): ReadonlySet<string> {
  const undone = new Set<string>()
  for (const { id, undid } of undoings) if (!undone.has(id)) undone.add(undid)
  return undone
}

/** A thing before a change, after it, and as it is now. */
export interface UndoPlan<Thing> {
  readonly before: Thing
  readonly after: Thing
  readonly now: Thing
}

/** What of a thing goes back, and the names of fields that were changed again since. */
export interface UndoResult<Thing> {
  readonly back: Partial<Thing>
  readonly since: readonly string[]
}

/** Those of the named fields that are no longer as a change left them. */
export function changedSince<Thing extends object, Name extends keyof Thing & string>(
  { after, now }: Pick<UndoPlan<Thing>, 'after' | 'now'>,
  names: readonly Name[],
): Name[] {
  return names.filter((name) => !sameJson(now[name], after[name]))
}

/** Puts back those of the named fields that the change changed. */
export function fieldsBack<Thing extends object, Name extends keyof Thing & string>(
  { before, after, now }: UndoPlan<Thing>,
  names: readonly Name[],
): UndoResult<Pick<Thing, Name>> {
  const changed = names.filter((name) => !sameJson(before[name], after[name]))
  const back: Partial<Pick<Thing, Name>> = {}
  for (const name of changed) back[name] = before[name]
  return { back, since: changedSince({ after, now }, changed) }
}

/** Puts back those keys that the change changed; null takes away one that was not there. `under` begins their names. */
export function keysBack({ before, after, now }: UndoPlan<Data>, under: string): UndoResult<Data> {
  const old = new Map(Object.entries(before))
  const young = new Map(Object.entries(after))
  const current = new Map(Object.entries(now))
  const changed = [...new Set([...old.keys(), ...young.keys()])].filter(
    (key) => !sameJson(old.get(key), young.get(key)),
  )
  return {
    back: Object.fromEntries(changed.map((key) => [key, old.get(key) ?? null])),
    since: changed.filter((key) => !sameJson(current.get(key), young.get(key))).map((key) => `${under}.${key}`),
  }
}
