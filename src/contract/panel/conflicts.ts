import { Type } from 'typebox'
import type { ConflictRule } from '../../scheduling/reservation-conflicts.ts'
import type { PanelContract } from '../endpoint.ts'
import { calendarInstant, localDate, oneOf, serviceSettings, typed } from '../resources.ts'
import { everyone, leading, none, nothing, staff } from './row.ts'

const rule = oneOf<ConflictRule>({
  service_active: true,
  provider_eligible: true,
  opening_hours: true,
  time_off: true,
  capacity: true,
})

const conflicts = Type.Object({
  total: Type.Integer({ description: 'Number of conflicts among the examined reservations' }),
  more: Type.Boolean({ description: 'Whether there are more upcoming reservations than were examined' }),
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      status: oneOf<'pending' | 'confirmed'>({ pending: true, confirmed: true }),
      start: calendarInstant,
      end: calendarInstant,
      rules: Type.Array(rule, { description: 'The rules that the reservation breaks' }),
      customer: Type.Object({ id: Type.String(), name: Type.String() }),
      service: Type.Object({ id: Type.String(), name: Type.String() }),
      provider: Type.Object({ id: Type.Integer(), name: Type.String() }),
    }),
    { description: 'The first two hundred, by start' },
  ),
})

/** The routes of conflicts: upcoming reservations that break rules since a change of hours, services or capacity. */
export const conflictRoutes = {
  'GET /conflicts/': {
    summary: 'List the upcoming reservations that break rules and about which nobody has decided',
    admits: everyone,
    query: none,
    body: null,
    envelope: 'response',
    returns: conflicts,
    ok: 200,
  },
  'POST /conflicts/check/': {
    summary: 'List the conflicts that a change of holidays or of a service would cause; stores nothing',
    admits: leading,
    query: none,
    body: Type.Object({
      holidays: Type.Optional(
        Type.Array(Type.Object({ from: localDate, to: localDate, name: Type.Optional(typed(200)) }), {
          maxItems: 10_000,
        }),
      ),
      service: Type.Optional(Type.Object({ id: Type.String({ maxLength: 100 }), ...serviceSettings.properties })),
    }),
    envelope: 'response',
    returns: conflicts,
    ok: 200,
  },
  'POST /conflicts/keep/': {
    summary: 'Keep a reservation although it breaks rules, or take that decision back',
    admits: staff,
    query: none,
    body: Type.Object({
      id: Type.String({ maxLength: 100 }),
      kept: Type.Optional(Type.Boolean({ description: 'false takes the decision back; true when absent' })),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
