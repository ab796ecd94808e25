import type { Actor, EventType } from '../../history/event.ts'
import type { Undoing } from '../../undo/undo.ts'
import type { PanelContract } from '../endpoint.ts'
import { calendarInstant, oneOf, orNull } from '../fields.ts'
import { Type } from '../schema.ts'
import { leading, message, none, nothing, paging } from './row.ts'

const actorKind = oneOf<Actor['kind']>({ token: true, command: true, worker: true, user: true, customer: true })
const state = orNull(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }))

/** The schema of one entry of the history. */
export const historyEntry = Type.Object({
  id: Type.String(),
  seq: Type.String({ description: 'Position in the log; sorts in log order' }),
  type: Type.Unsafe<EventType>({ type: 'string', description: 'Such as reservation.created' }),
  objectId: Type.String(),
  subject: Type.Object({
    name: Type.String({
      description: 'Name of the object, or of the customer or provider whom it concerns; empty when unknown',
    }),
    start: orNull(calendarInstant),
  }),
  at: calendarInstant,
  actor: Type.Object({
    kind: actorKind,
    id: Type.String(),
    name: Type.String({ description: 'Name of the user or token; empty when it was removed' }),
  }),
  before: state,
  after: state,
  undo: Type.Object({
    does: orNull(
      oneOf<Undoing>(
        { edit: true, move: true, cancel: true, remove: true, add: true },
        { description: 'Effect of an undo; null when the change cannot be undone' },
      ),
    ),
    why: orNull(message('Why it cannot be undone; null where it can')),
  }),
  undone: Type.Boolean({ description: 'Whether an undo of the change is in effect' }),
  undid: orNull(Type.String({ description: 'Id of the entry that this change undid; null when it is no undo' })),
})

/** The routes that list the history and undo its entries. */
export const historyRoutes = {
  'GET /history/': {
    summary: 'List changes, the newest first; a total of 10,001 means more than that',
    admits: leading,
    query: Type.Object({
      objectId: Type.Optional(Type.String({ maxLength: 200 })),
      type: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'A type, such as reservation.created, or a kind, such as reservation',
        }),
      ),
      actor: Type.Optional(Type.String({ maxLength: 200, description: 'Id of a user or token, or name of a command' })),
      from: Type.Optional(calendarInstant),
      until: Type.Optional(calendarInstant),
      ...paging,
    }),
    body: null,
    envelope: 'list',
    returns: historyEntry,
    ok: 200,
  },
  'GET /history/actors/': {
    summary: 'List the users of the panel and the API tokens to filter by, also revoked ones, each by name',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({
      actors: Type.Array(Type.Object({ kind: actorKind, id: Type.String(), name: Type.String() })),
    }),
    ok: 200,
  },
  'POST /history/undo/': {
    summary: 'Undo a change: all of its fields are reverted, or none when one was changed since',
    admits: leading,
    query: none,
    body: Type.Object({ seq: Type.String({ maxLength: 100 }) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
