import { Type } from 'typebox'
import type { Actor, EventType } from '../../domain/event.ts'
import type { PanelContract } from '../endpoint.ts'
import { calendarInstant, oneOf, orNull } from '../resources.ts'
import { leading, paging } from './row.ts'

const actorKind = oneOf<Actor['kind']>({ token: true, command: true, worker: true, user: true, customer: true })
const state = orNull(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }))

/** One change as people read it. */
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
})

/** Who changed what, and when. */
export const historyRows = {
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
    answer: 'list',
    returns: historyEntry,
    ok: 200,
  },
} as const satisfies PanelContract
