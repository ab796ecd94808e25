import { type Data, sameJson } from '../data.ts'
import type { Change, EventType } from '../history/event.ts'
import { type Message, message } from '../messages/message.ts'

/** The effect of an undo: revert fields, move back or cancel a reservation, or remove or restore an object. */
export type Undoing = 'edit' | 'move' | 'cancel' | 'remove' | 'add'

/** The kinds of objects with changes that can be undone. */
export type UndoKind = 'reservation' | 'customer' | 'customer_note' | 'service' | 'provider' | 'time_off' | 'site'

/** The effect of undoing a log entry and the kind of its object, or the reason why it cannot be undone. */
export type WayBack = { readonly of: UndoKind; readonly does: Undoing } | { readonly no: Message }

const lost = { no: message('undo_removed') }
const ofUser = { no: message('undo_user') }
const token = { no: message('undo_token') }
const calendar = { no: message('undo_calendar') }
const payment = { no: message('undo_payment') }
const webhook = { no: message('undo_webhook') }
const edited = (of: UndoKind): WayBack => ({ of, does: 'edit' })
const added = (of: UndoKind): WayBack => ({ of, does: 'remove' })
const gone = (of: UndoKind): WayBack => ({ of, does: 'add' })

const ways: Readonly<Record<EventType, WayBack>> = {
  'reservation.created': added('reservation'),
  'reservation.updated': edited('reservation'),
  'reservation.rescheduled': edited('reservation'),
  'reservation.pending': edited('reservation'),
  'reservation.confirmed': edited('reservation'),
  'reservation.cancelled': edited('reservation'),
  'reservation.restored': edited('reservation'),
  'reservation.removed': lost,
  'reservation.attendance': edited('reservation'),
  'reservation.zone_changed': { no: message('undo_zone_changed') },
  'customer.created': added('customer'),
  'customer.updated': edited('customer'),
  'customer.removed': gone('customer'),
  'customer.merged': { no: message('undo_customer_merged') },
  'customer.erased': { no: message('undo_customer_erased') },
  'customer_note.created': added('customer_note'),
  'customer_note.removed': lost,
  'sms_consent.given': { no: message('undo_sms_consent') },
  'sms_consent.withdrawn': { no: message('undo_sms_consent') },
  'service.created': added('service'),
  'service.updated': edited('service'),
  'service.removed': gone('service'),
  'provider.created': added('provider'),
  'provider.updated': edited('provider'),
  'provider.removed': gone('provider'),
  'time_off.created': added('time_off'),
  'time_off.updated': edited('time_off'),
  'time_off.removed': gone('time_off'),
  'calendar.created': calendar,
  'calendar.updated': calendar,
  'calendar.removed': calendar,
  'calendar.feed_created': calendar,
  'calendar.feed_revoked': calendar,
  'host_user.created': { no: message('undo_host_user') },
  'token.created': token,
  'token.revoked': token,
  'webhook.created': webhook,
  'webhook.updated': webhook,
  'webhook.removed': webhook,
  'webhook.secret_rotated': webhook,
  'webhook.disabled': webhook,
  'webhook.failing': webhook,
  'site.updated': edited('site'),
  'site.secret_rotated': { no: message('undo_secret_rotated') },
  'site.backup_overdue': { no: message('undo_backup_overdue') },
  'booking_page.updated': { no: message('undo_booking_page') },
  'booking_page.link_created': { no: message('undo_booking_page') },
  'booking_page.link_revoked': { no: message('undo_booking_page') },
  'booking_page.deletion_requested': { no: message('undo_booking_page') },
  'booking_page.deletion_declined': { no: message('undo_booking_page') },
  'booking_page.host_secret_set': { no: message('undo_booking_page') },
  'booking_page.host_secret_removed': { no: message('undo_booking_page') },
  'payment.paid': payment,
  'payment.expired': payment,
  'payment.returned': payment,
  'payment.refunded': payment,
  'payment.refund_failed': payment,
  'payment.written_off': payment,
  'payment.disputed': payment,
  'payment.dispute_won': payment,
  'payment.dispute_lost': payment,
  'payment.card_saved': payment,
  'payment.card_removed': payment,
  'payment.fee_declined': payment,
  'payment_settings.updated': payment,
  'payment_settings.differences_found': payment,
  'payment_settings.difference_resolved': payment,
  'notification_settings.updated': { no: message('undo_notifications') },
  'notification_template.updated': { no: message('undo_notifications') },
  'user.created': ofUser,
  'user.updated': ofUser,
  'user.removed': ofUser,
  'user.invited': ofUser,
  'user.password_set': ofUser,
  'user.second_factor_changed': ofUser,
  'user.signed_in': ofUser,
  'user.signed_out': ofUser,
}

/** The fields that determine the slot of a reservation. */
export const slotFields = ['serviceId', 'providerId', 'start', 'end'] as const

/** The fields besides `slotFields` that undoing an edit of a reservation reverts. */
const editFields = ['customerId', 'status', 'data', 'note'] as const

function sameField(name: string, one: Change['object'], other: Change['previous']): boolean {
  return sameJson(one?.[name] ?? null, other?.[name] ?? null)
}

/**
 * Returns how a log entry is undone, or the reason why it cannot be. `undoChange` checks in addition whether fields
 * were changed since and whether the entry is undone already.
 */
export function wayBack({ type, object, previous }: Pick<Change, 'type' | 'object' | 'previous'>): WayBack {
  const way = ways[type]
  if ('no' in way) return way
  const isTold = (way.does === 'add' || object) && (way.does === 'remove' || previous)
  if (!isTold) return { no: message('undo_entry_erased') }
  if (way.of !== 'reservation' || way.does !== 'edit') return way
  if (previous?.status === 'cancelled' && object?.status !== 'cancelled') return { of: way.of, does: 'cancel' }
  const moved = slotFields.some((name) => !sameJson(object?.[name], previous?.[name]))
  if (moved) return { of: way.of, does: 'move' }
  const reverts = type !== 'reservation.updated' || editFields.some((name) => !sameField(name, object, previous))
  if (reverts) return way
  return sameField('payment', object, previous) ? { no: message('undo_nothing') } : payment
}

/** The refusal to undo the removal of a customer who was merged into another. */
export const mergedAway: WayBack = { no: message('undo_customer_merged') }

/** The refusal to undo an entry that is already undone. */
export const undoneAlready: WayBack = { no: message('undone_already') }

/**
 * Returns the ids of the entries that are undone. `undoings` must be sorted newest first; an undo that was undone
 * itself does not count.
 */
export function standUndone(undoings: readonly { readonly id: string; readonly undid: string }[]): ReadonlySet<string> {
  const undone = new Set<string>()
  for (const { id, undid } of undoings) if (!undone.has(id)) undone.add(undid)
  return undone
}

/** The object whose change is to be undone, in three states: before the change, after it, and now. */
export interface UndoPlan<Thing> {
  readonly before: Thing
  readonly after: Thing
  readonly now: Thing
}

/**
 * The previous values of the fields that a change changed, and the names of those fields that were changed again since.
 */
export interface UndoResult<Thing> {
  readonly back: Partial<Thing>
  readonly since: readonly string[]
}

/** Returns the names of the fields whose current value differs from that after the change. */
export function changedSince<Thing extends object, Name extends keyof Thing & string>(
  { after, now }: Pick<UndoPlan<Thing>, 'after' | 'now'>,
  names: readonly Name[],
): Name[] {
  return names.filter((name) => !sameJson(now[name], after[name]))
}

/**
 * Returns the previous values of those fields in `names` that the change changed, and the names of the ones among them
 * that were changed again since.
 */
export function fieldsBack<Thing extends object, Name extends keyof Thing & string>(
  { before, after, now }: UndoPlan<Thing>,
  names: readonly Name[],
): UndoResult<Pick<Thing, Name>> {
  const changed = names.filter((name) => !sameJson(before[name], after[name]))
  const back: Partial<Pick<Thing, Name>> = {}
  for (const name of changed) back[name] = before[name]
  return { back, since: changedSince({ after, now }, changed) }
}

/**
 * Returns the previous values of the keys that the change changed, null for a key to delete, and the names of those
 * keys that were changed again since, prefixed with `under`.
 */
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
