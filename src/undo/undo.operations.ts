import { findEvent, parseSeq } from '../db/log/event-log.ts'
import type { Operation, Tx } from '../db/perform/app.ts'
import type { LoggedEvent } from '../history/event.ts'
import { Refusal, refusal } from '../messages/refusal.ts'
import { listUndoings } from './undo.sql.ts'
import { standUndone, type Undoing, type UndoKind } from './undo.ts'
import { undoProvider, undoService, undoSite, undoTimeOff } from './undo-catalogue.operations.ts'
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

// Returns a transaction in which every appended event contains the id of the undone entry (`undid`).
function undoingTx(tx: Tx, undid: string): Tx {
  return { ...tx, append: (change) => tx.append({ ...change, undid }) }
}
