import type { SlotRefusal } from '../../messages/refusal.ts'
import type { ConflictRule } from '../../scheduling/reservation-conflicts.ts'
import type { BrokenRule } from '../../scheduling/rule-override.ts'
import type { PanelContract } from '../endpoint.ts'
import { calendarInstant, flag, localDate, oneOf, orNull, providerIds, typed, whole } from '../fields.ts'
import { answers, attendanceState, reservationStatus, serviceSettings } from '../resources.ts'
import { Type } from '../schema.ts'
import { deskNote, notifyChoice, overrideReason } from './reservations.ts'
import { changed, desk, everyone, leading, message, none, nothing, staff } from './row.ts'

const knownId = Type.String({ maxLength: 100 })
const note = typed(500, { description: 'Reason; not visible to customers and integrations' })
const despite = Type.Optional(
  Type.Boolean({ description: 'Whether the time off is stored although reservations lie within it' }),
)

/**
 * The routes that list, add, change and remove time off of providers; a user with the role `provider` has access to
 * their own only.
 */
export const timeOffRoutes = {
  'GET /time-off/': {
    summary: 'List a provider’s time off that overlaps an interval',
    admits: everyone,
    query: Type.Object({ providerId: whole(0), from: calendarInstant, until: calendarInstant }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      items: Type.Array(
        Type.Object({
          id: Type.String(),
          providerId: Type.Integer(),
          start: calendarInstant,
          end: calendarInstant,
          note: Type.String(),
        }),
      ),
    }),
    ok: 200,
  },
  'POST /time-off/add/': {
    summary: 'Add a time off; refused while reservations lie within it',
    admits: staff,
    query: none,
    body: Type.Object({
      providerId: whole(0),
      start: calendarInstant,
      end: calendarInstant,
      note: Type.Optional(note),
      despite,
    }),
    envelope: 'id',
    returns: Type.Object({ id: Type.String() }),
    ok: 200,
  },
  'POST /time-off/add-to-all/': {
    summary: 'Add the same time off to several providers, to all or to none',
    admits: desk,
    query: none,
    body: Type.Object({
      providerIds: Type.Array(whole(0), { minItems: 1, maxItems: 100 }),
      start: calendarInstant,
      end: calendarInstant,
      note: Type.Optional(note),
      despite,
    }),
    envelope: 'response',
    returns: Type.Object({
      ids: Type.Array(Type.String(), { description: 'One time off per provider, in their order' }),
    }),
    ok: 200,
  },
  'POST /time-off/edit/': {
    summary: 'Change a time off; absent fields are unchanged',
    admits: staff,
    query: none,
    body: Type.Object({
      id: knownId,
      start: Type.Optional(calendarInstant),
      end: Type.Optional(calendarInstant),
      note: Type.Optional(note),
      despite,
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /time-off/remove/': {
    summary: 'Remove a time off',
    admits: staff,
    query: none,
    body: Type.Object({ id: knownId }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract

const stretch = { start: calendarInstant, end: calendarInstant }
const calendar = Type.Object({
  providers: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      zone: Type.String(),
      open: Type.Array(Type.Object(stretch), { description: 'Opening hours' }),
    }),
  ),
  holidays: Type.Array(
    Type.Object({ from: localDate, to: localDate, name: Type.String({ description: 'Empty for one without a name' }) }),
    { description: 'Holidays of the site' },
  ),
  services: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      color: orNull(Type.String()),
      capacity: Type.Integer({ description: 'Seats of a slot, unless a date has its own' }),
      minutes: Type.Integer({ description: 'Minutes of an appointment' }),
      step: Type.Integer({ description: 'Minutes of the step by which an appointment is moved' }),
    }),
  ),
  reservations: Type.Array(
    Type.Object({
      id: Type.String(),
      serviceId: Type.String(),
      providerId: Type.Integer(),
      customerId: Type.String(),
      customer: Type.String({ description: 'Name of the customer; empty when removed' }),
      status: reservationStatus,
      attendance: attendanceState,
      noted: Type.Boolean({ description: 'Whether the desk wrote a note' }),
      ...stretch,
    }),
  ),
  shared: Type.Array(
    Type.Object({ id: Type.String(), serviceId: Type.String(), providerId: Type.Integer(), ...stretch }),
    { description: 'Collective reservations of another provider that occupy this provider as well' },
  ),
  busy: Type.Array(
    Type.Object({
      id: Type.String(),
      providerId: Type.Integer(),
      source: oneOf<'time_off' | 'calendar'>({ time_off: true, calendar: true }),
      note: Type.String(),
      ...stretch,
    }),
  ),
  held: Type.Array(Type.Object({ id: Type.String(), providerId: Type.Integer(), ...stretch }), {
    description: 'Times that forms of the booking page hold now',
  }),
  cut: Type.Boolean({ description: 'Whether later reservations are left out, since there are more than 5,000' }),
})

const brokenRule = Type.Object({
  rule: oneOf<BrokenRule['rule']>({
    service_active: true,
    provider_eligible: true,
    lead_time: true,
    horizon: true,
    opening_hours: true,
    time_off: true,
    calendar: true,
    occupancy: true,
    capacity: true,
    limits: true,
    customer: true,
  }),
  code: Type.Unsafe<SlotRefusal>({ type: 'string' }),
  message: message('Why the slot breaks the rule'),
  setting: Type.String({ description: 'Path of the setting' }),
  firm: Type.Boolean({ description: 'Whether the rule cannot be overridden' }),
  doubles: Type.Boolean({ description: 'Whether overriding it books the time twice, which `doubleBook` asks for' }),
})

/**
 * The routes that show the calendar, free times and the rules that a time would break, and book and move reservations;
 * a user with the role `provider` has access to their own calendar only.
 */
export const calendarRoutes = {
  'GET /calendar/': {
    summary:
      'Show what is in the time of at most 50 providers, within at most 46 days; the first 20 when none are named',
    admits: everyone,
    query: Type.Object({
      from: calendarInstant,
      until: calendarInstant,
      providers: providerIds,
      cancelled: flag('Cancelled reservations too'),
    }),
    body: null,
    envelope: 'response',
    returns: calendar,
    ok: 200,
  },
  'GET /calendar/free/': {
    summary: 'List the free times of a service from an instant on, seven days at a time; with one provider or with any',
    admits: staff,
    query: Type.Object({
      serviceId: knownId,
      providerId: Type.Optional(whole(0)),
      from: calendarInstant,
      except: Type.Optional(
        Type.String({ maxLength: 100, description: 'The reservation that is moved, whose own time counts as free' }),
      ),
    }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      times: Type.Array(
        Type.Object({
          ...stretch,
          providerIds: Type.Array(Type.Integer(), { description: 'Free providers, the one that routing picks first' }),
        }),
      ),
      until: Type.Integer({ description: 'End of the listed period' }),
      next: orNull(Type.Integer({ description: 'The first free time after the list; null for none' })),
    }),
    ok: 200,
  },
  'GET /calendar/verdict/': {
    summary:
      'Say which rules a time would break: for a reservation that is moved, confirmed or brought back, or for a new one',
    admits: staff,
    query: Type.Object({
      id: Type.Optional(knownId),
      serviceId: Type.Optional(knownId),
      customerId: Type.Optional(knownId),
      providerId: whole(0),
      start: calendarInstant,
      end: Type.Optional(calendarInstant),
    }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      end: calendarInstant,
      broken: Type.Array(brokenRule),
      noShows: orNull(
        Type.Object(
          { count: Type.Integer(), months: Type.Integer() },
          { description: 'The missed visits of the customer, where the site’s policy warns of them' },
        ),
      ),
    }),
    ok: 200,
  },
  'POST /calendar/book/': {
    summary: 'Book a time on the calendar; all rules are checked against current data',
    admits: staff,
    query: none,
    body: Type.Object({
      serviceId: knownId,
      providerId: whole(0),
      customerId: knownId,
      start: calendarInstant,
      end: Type.Optional(calendarInstant),
      answers: Type.Optional(answers),
      note: Type.Optional(deskNote),
      override: overrideReason,
      notify: notifyChoice,
    }),
    envelope: 'id',
    returns: Type.Object({ id: Type.String() }),
    ok: 200,
  },
  'POST /calendar/move/': {
    summary: 'Move a reservation to another time or provider, or change its length',
    admits: staff,
    query: none,
    body: Type.Object({
      id: knownId,
      providerId: Type.Optional(whole(0)),
      from: Type.Optional(
        Type.Object(
          {
            providerId: whole(0),
            start: calendarInstant,
            end: Type.Optional(calendarInstant),
            status: Type.Optional(reservationStatus),
          },
          { description: 'What the user saw; refused when the reservation differs by now, unless it is there already' },
        ),
      ),
      start: calendarInstant,
      end: Type.Optional(calendarInstant),
      override: overrideReason,
      notify: notifyChoice,
    }),
    envelope: 'response',
    returns: changed,
    ok: 200,
  },
} as const satisfies PanelContract

const conflictRule = oneOf<ConflictRule>({
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
      rules: Type.Array(conflictRule, { description: 'The rules that the reservation breaks' }),
      holiday: orNull(
        Type.String({ description: 'Name of the holiday outside of whose hours it lies; null for none' }),
      ),
      customer: Type.Object({ id: Type.String(), name: Type.String() }),
      service: Type.Object({ id: Type.String(), name: Type.String() }),
      provider: Type.Object({ id: Type.Integer(), name: Type.String() }),
    }),
    { description: 'The first two hundred, by start' },
  ),
})

/**
 * The routes that list and accept conflicts, which are upcoming reservations that break rules, such as after a change
 * of hours; a user with the role `provider` has access to those of their own reservations only.
 */
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
      rules: Type.Optional(
        Type.Array(conflictRule, {
          maxItems: 100,
          description: 'The broken rules that the user saw; refused when the reservation breaks another one by now',
        }),
      ),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
