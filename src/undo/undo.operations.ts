import { lockCatalogue } from '../catalogue/catalogue.operations.ts'
import { findEvent, findEventOf, parseSeq } from '../db/log/event-log.ts'
import type { Operation, Tx } from '../db/perform/app.ts'
import type { LoggedEvent } from '../history/event.ts'
import { Refusal, refusal } from '../messages/refusal.ts'
import { lockOwnReservation } from '../reservations/booking/reservations.operations.ts'
import { listUndoings } from './undo.sql.ts'
import { slotFields, standUndone, type Undoing, type UndoKind } from './undo.ts'
import { undoProvider, undoService, undoSite, undoTimeOff } from './undo-catalogue.operations.ts'
import { requireUnchanged } from './undo-checks.operations.ts'
import { undoCustomer, undoCustomerNote, undoReservation } from './undo-reservations.operations.ts'
import { findWayBack } from './way-back.sql.ts'

const undoers: Readonly<Record<UndoKind, (tx: Tx, event: LoggedEvent, does: Undoing) => Promise<unknown>>> = {
  reservation: undoReservation,
  customer: undoCustomer,
  customer_note: undoCustomerNote,
  service: undoService,
  provider: undoProvider,
  time_off: undoTimeOff,
  site: undoSite,
}

/**
 * Undoes a log entry through the ordinary operations, which may refuse: reverts the changed fields, removes an added
 * object or restores a removed one. Refuses when the entry cannot be undone, or when what it changed was changed again
 * since.
 */
export const undoChange: Operation<{ readonly seq: string }, Record<string, never>> = async (tx, { seq }) => {
  const place = parseSeq(seq)
  const event = place && (await findEvent(tx.db, place))
  if (!event) throw refusal('entry_not_found')
  const undone = standUndone(await listUndoings(tx.db, [event.id]))
  const way = await findWayBack(tx.db, event, undone)
  if ('no' in way) throw new Refusal({ code: 'not_undoable', message: way.no })
  await undoers[way.of](undoingTx(tx, event.id), event, way.does)
  return {}
}

/** The input of `undoOwnChange`: a reservation, and which of its changes is undone and how. */
export interface UndoOwnChange {
  readonly id: string
  /** The id of the log entry of the change. */
  readonly change: string
  /** Whether the customer is notified of the undo; true when absent. */
  readonly notify?: boolean
  /** Whether the undo overrides booking rules even if the change moved nothing. */
  readonly overridesRules: boolean
  /** Restricts the undo to reservations of this provider; the reservation of another provider is refused as unknown. */
  readonly ofProvider?: number
}

/**
 * Undoes a change that the actor has made to a reservation through the same operations as `undoChange`, but also for
 * roles that may not undo the changes of others, and with `overridesRules` against booking rules. Refuses as unknown
 * the changes of others and the booking itself, and refuses to move back a reservation that was cancelled since. Does
 * nothing when the change is undone already, or the reservation was moved back by another change.
 */
export const undoOwnChange: Operation<UndoOwnChange, Record<string, never>> = async (tx, input) => {
  const { id, change, notify, overridesRules } = input
  await lockCatalogue(tx)
  const now = await lockOwnReservation(tx, input)
  const event = await findEventOf(tx.db, { kind: 'reservation', objectId: id, id: change })
  const isOwn = event?.actor.kind === tx.actor.kind && event.actor.id === tx.actor.id
  if (!event || !isOwn || event.type === 'reservation.created') throw refusal('entry_not_found')
  const undone = standUndone(await listUndoings(tx.db, [event.id]))
  if (undone.has(event.id)) return {}
  const way = await findWayBack(tx.db, event, undone)
  if ('no' in way) throw new Refusal({ code: 'not_undoable', message: way.no })
  if (way.does === 'move') {
    const { object, previous } = event
    requireUnchanged(now.status === 'cancelled' && object?.status !== 'cancelled' ? ['status'] : [])
    if (slotFields.every((name) => now[name] === previous?.[name])) return {}
  }
  await undoReservation(undoingTx(tx, event.id), event, way.does, { notify, overridesRules })
  return {}
}

// Returns a transaction in which every appended event contains the id of the undone entry (`undid`).
function undoingTx(tx: Tx, undid: string): Tx {
  return { ...tx, append: (change) => tx.append({ ...change, undid }) }
}
