import type { Operation } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import { lockCustomer } from '../customers.operations.ts'
import { countNotes, deleteNote, findNote, insertNote } from './notes.sql.ts'

/** The maximum number of notes about one customer. */
const maxNotes = 200

/** Adds a note about a customer, with its author and time. */
export const addCustomerNote: Operation<
  { readonly customerId: string; readonly text: string },
  { readonly id: string }
> = async (tx, { customerId, text }) => {
  await lockCustomer(tx, customerId)
  if ((await countNotes(tx.db, customerId)) >= maxNotes) {
    const fault = message('too_many_notes', { count: maxNotes })
    throw new Refusal({ code: 'invalid_parameter', message: fault, details: { text: fault } })
  }
  const id = tx.newId('note')
  await insertNote(tx.db, { id, customerId, userId: tx.actor.id, text, createdAt: tx.now })
  await tx.append({ type: 'customer_note.created', objectId: customerId, object: { id, text }, previous: null })
  return { id }
}

/** Removes a note about a customer; its text stays in the history until the customer is erased. */
export const removeCustomerNote: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  const note = await findNote(tx.db, id)
  if (!note) throw unknownNote()
  await lockCustomer(tx, note.customerId)
  // The note is looked up again under the lock: of two concurrent removals, the second is refused.
  if (!(await findNote(tx.db, id))) throw unknownNote()
  await deleteNote(tx.db, id)
  const previous = { id, text: note.text }
  await tx.append({ type: 'customer_note.removed', objectId: note.customerId, object: null, previous })
  return {}
}

function unknownNote(): Refusal {
  return refusal('note_not_found')
}
