import { Type } from 'typebox'
import type { Actor, EventType } from '../../history/event.ts'
import type { Undoing } from '../../undo/undo.ts'
import type { PanelContract } from '../endpoint.ts'
import { calendarInstant, oneOf, orNull } from '../resources.ts'
import { leading, message, none, nothing, paging } from './row.ts'

const actorKind = oneOf<Actor['kind']>({ token: true, command: true, worker: true, user: true, customer: true })
const state = orNull(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }))

/** One entry of the history. */
export const historyEntry = Type.Object({
  id: Type.String(),
  seq: Type.String({ description: 'Sorts in the order of the log' }),
  type: Type.Unsafe<EventType>({ type: 'string', description: 'Such as reservation.created' }),
  objectId: Type.String(),
  at: calendarInstant,
  actor: Type.Object({
    kind: actorKind,
    id: Type.String(),
    name: Type.String({ description: 'Of the person or token; empty for those that are gone' }),
  }),
  before: state,
  after: state,
  undo: Type.Object({
    does: orNull(
      oneOf<Undoing>(
        { edit: true, move: true, cancel: true, remove: true, add: true },
        { description: 'What undoing it does; null where it cannot be undone' },
      ),
    ),
    why: orNull(message('Why it cannot be undone; null where it can')),
  }),
  undone: Type.Boolean({ description: 'Something undid it that was not undone itself' }),
  undid: orNull(Type.String({ description: 'The id of the entry that this change undid; null for any other' })),
})

/** The history and its undo. */
export const historyRoutes = {
  'GET /history/': {
    summary: 'List what was changed, the newest first',
    admits: leading,
    query: Type.Object({
      objectId: Type.Optional(Type.String({ maxLength: 200 })),
      type: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'A type, such as reservation.created, or a kind, such as reservation',
        }),
      ),
      actor: Type.Optional(Type.String({ maxLength: 200, description: 'Id of a person, a token, a command' })),
      from: Type.Optional(calendarInstant),
      until: Type.Optional(calendarInstant),
      ...paging,
    }),
    body: null,
    envelope: 'list',
    returns: historyEntry,
    ok: 200,
  },
  'POST /history/undo/': {
    summary: 'Put back what a change changed; all of it, or nothing where some was changed again since',
    admits: leading,
    query: none,
    body: Type.Object({ seq: Type.String({ maxLength: 100 }) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
