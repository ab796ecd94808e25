import type { TSchema } from 'typebox'
import type { ListedTime } from '../../reservations/list/reservation-filter.ts'
import type { Awaited, CancellationRefund, ReservationStatus } from '../../reservations/reservation.ts'
import type { PanelContract } from '../endpoint.ts'
import { calendarInstant, localDate, oneOf, orNull, typed, whole } from '../fields.ts'
import { answers, attendanceState, attendanceTimes, reservationStatus, routingMode, shownForm } from '../resources.ts'
import { Type } from '../schema.ts'
import { historyEntry } from './history.ts'
import { changed, desk, everyone, leadingAndProviders, message, none, nothing, paging, staff } from './row.ts'

const filter = {
  search: Type.Optional(
    typed(200, {
      description: 'Beginnings of the customer’s name, address or number, or an id of reservation or customer',
    }),
  ),
  status: Type.Optional(reservationStatus),
  serviceId: Type.Optional(Type.String({ maxLength: 100 })),
  providerId: Type.Optional(whole(0)),
  from: Type.Optional(localDate),
  to: Type.Optional(localDate),
  when: Type.Optional(
    oneOf<ListedTime>(
      { upcoming: true, from_today: true, past: true },
      {
        description:
          'upcoming: has not begun; from_today: begins today, in the site’s time zone, or later; past: has begun',
      },
    ),
  ),
  sort: Type.Optional(
    oneOf<'start' | '-start'>({ start: true, '-start': true }, { description: '-start: the latest first' }),
  ),
}

const named = <T extends TSchema>(id: T) =>
  Type.Object({ id, name: Type.String({ description: 'Empty for one that was removed' }) })

const listed = {
  id: Type.String(),
  status: reservationStatus,
  start: calendarInstant,
  end: calendarInstant,
  service: named(Type.String()),
  provider: named(Type.Integer()),
  customer: Type.Object({ ...named(Type.String()).properties, email: Type.String(), phone: Type.String() }),
  price: orNull(Type.Integer({ description: 'In the smallest unit of the currency' })),
  currency: orNull(Type.String()),
  created: calendarInstant,
  attendance: attendanceState,
  awaits: orNull(
    oneOf<Awaited>({ email: true, payment: true }, { description: 'What a pending reservation waits for' }),
  ),
}

/** The schema of the internal note of staff on a reservation. */
export const deskNote = typed(2_000, { description: 'Visible in the panel only; empty for none' })

/** The schema of how the provider of a reservation was chosen. */
export const choice = Type.Object({
  mode: Type.String({ description: 'Routing mode, such as round_robin' }),
  eligible: Type.Array(named(Type.Integer()), { description: 'Providers who were free' }),
  picked: named(Type.Integer()),
  because: message('As it was kept when the reservation was made'),
})

/**
 * The schema of the decision of staff to add or change a reservation although rules forbid it: the reason for the
 * override, and whether staff deliberately double-book the time.
 */
export const overrideReason = Type.Optional(
  Type.Object(
    {
      reason: typed(500, { minLength: 1 }),
      doubleBook: Type.Optional(
        Type.Boolean({ description: 'Whether the time is deliberately booked twice; the provider must allow it' }),
      ),
    },
    {
      description:
        'Reason for overriding rules other than those about room; the history stores the broken rules. Not for the role provider',
    },
  ),
)

/** The schema of the choice of whether the customer is notified of a change. */
export const notifyChoice = Type.Optional(
  Type.Boolean({ description: 'false: the customer gets no message about this change; true when absent' }),
)

/**
 * The routes that list, show and export reservations, and change their status, attendance, note and answers; a user
 * with the role `provider` has access to their own reservations only.
 */
export const reservationRoutes = {
  'GET /reservations/': {
    summary: 'List reservations; no further than the first 10,000, and a total of 10,001 means more than that',
    admits: everyone,
    query: Type.Object({ ...filter, ...paging }),
    body: null,
    envelope: 'list',
    returns: Type.Object(listed),
    ok: 200,
  },
  'GET /reservations/csv/': {
    summary: 'Download all reservations that match the filters as CSV, safe against formula injection',
    admits: leadingAndProviders,
    query: Type.Object(filter),
    body: null,
    envelope: 'file',
    returns: Type.Unknown(),
    ok: 200,
  },
  'GET /reservations/one/': {
    summary: 'Return one reservation with customer, data and history',
    admits: everyone,
    query: Type.Object({ id: Type.String({ maxLength: 100 }) }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      ...listed,
      data: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      form: shownForm,
      updated: calendarInstant,
      localStart: Type.String({ description: 'Wall time of the start in the provider’s zone' }),
      zone: Type.String(),
      attendedAt: attendanceTimes,
      note: Type.String(),
      cancelReason: Type.String({ description: 'Empty when no reason was given' }),
      meeting: orNull(Type.String({ description: 'The address of an online appointment' })),
      expires: orNull(calendarInstant),
      paid: Type.Boolean({ description: 'Whether the reservation is paid for; GET /payments/reservation/ says how' }),
      choice: orNull(choice),
      history: Type.Array(historyEntry, { description: 'The newest first, at most 100' }),
    }),
    ok: 200,
  },
  'GET /reservations/filters/': {
    summary: 'List the services and providers to filter by',
    admits: everyone,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({
      services: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), routingMode })),
      providers: Type.Array(Type.Object({ ...named(Type.Integer()).properties, zone: Type.String() })),
    }),
    ok: 200,
  },
  'POST /reservations/status/': {
    summary: 'Confirm, cancel or restore a reservation; one that needs room is checked like a booking',
    admits: staff,
    query: none,
    body: Type.Object({
      id: Type.String({ maxLength: 100 }),
      status: reservationStatus,
      from: Type.Optional(
        Type.Unsafe<ReservationStatus>({
          ...reservationStatus,
          description: 'The status that the user saw; refused when it is neither that nor the new one by now',
        }),
      ),
      cancelReason: Type.Optional(typed(500, { description: 'Why it is cancelled; ignored for other changes' })),
      refund: Type.Optional(
        oneOf<CancellationRefund>(
          { rule: true, all: true, none: true },
          {
            description:
              'What of the payment is refunded when it is cancelled, by the service’s rule when absent; others than administrators and managers choose only that',
          },
        ),
      ),
      override: overrideReason,
      notify: notifyChoice,
    }),
    envelope: 'response',
    returns: changed,
    ok: 200,
  },
  'POST /reservations/attendance/': {
    summary: 'Mark whether the customer came; going back one state keeps the earlier times',
    admits: staff,
    query: none,
    body: Type.Object({ id: Type.String({ maxLength: 100 }), state: attendanceState }),
    envelope: 'response',
    returns: changed,
    ok: 200,
  },
  'POST /reservations/undo/': {
    summary: 'Undo the user’s own change of a reservation; for the desk, overrides booking rules',
    admits: staff,
    query: none,
    body: Type.Object({
      id: Type.String({ maxLength: 100 }),
      change: Type.String({ maxLength: 100, description: 'Id of the entry of the history, as the change returned it' }),
      notify: notifyChoice,
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /reservations/note/': {
    summary: 'Replace the desk’s note, which customers and integrations do not see',
    admits: staff,
    query: none,
    body: Type.Object({
      id: Type.String({ maxLength: 100 }),
      note: deskNote,
      // Not trimmed, since a stored note may have white space around it.
      was: Type.Optional(
        Type.String({
          maxLength: 2_000,
          description: 'The note that was edited; refused with `changed_since` if it has changed',
        }),
      ),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /reservations/answer/': {
    summary: 'Replace the answers to the booking form; required ones may be missing',
    admits: desk,
    query: none,
    body: Type.Object({ id: Type.String({ maxLength: 100 }), answers }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
