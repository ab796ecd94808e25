import { narrowed, ownProvider, type PanelContext } from '../access/sessions/panel-session.routes.ts'
import type { SessionView } from '../access/sessions/session.ts'
import { admits, desk, leading } from '../access/users/role-groups.ts'
import type { reservationRoutes } from '../contract/panel/reservations.ts'
import type { Handlers } from '../http/call.ts'
import { refusal } from '../messages/refusal.ts'
import type { Operations } from '../operations.ts'
import { writeReservationTable } from './list/reservation-csv.routes.ts'
import {
  exportReservations,
  listFilters,
  type ReservationSearch,
  searchReservations,
  showReservation,
} from './list/reservation-list.operations.ts'

/**
 * Returns the handlers of the panel's routes that list, export and show reservations, and change their status,
 * attendance, note and answers.
 */
export function reservationHandlers({
  app,
}: Pick<PanelContext, 'app'>): Handlers<typeof reservationRoutes, Operations> {
  return {
    'GET /reservations/': ({ query, paging, session, now }) =>
      searchReservations(app.db, searchOf(query), asking(session, now), paging),

    'GET /reservations/csv/': async ({ query, session, now }) => {
      const table = await exportReservations(app.db, searchOf(query), asking(session, now))
      return {
        name: 'reservations.csv',
        type: 'text/csv; charset=utf-8',
        file: (write) => writeReservationTable(table, write),
      }
    },

    'GET /reservations/one/': ({ query, session, now }) => showReservation(app.db, query.id, asking(session, now)),
    'GET /reservations/filters/': ({ session, now }) => listFilters(app.db, asking(session, now)),

    'POST /reservations/answer/': ({ body, perform }) => perform('reservations.staff.answer', body),

    'POST /reservations/attendance/': ({ body, session, perform }) =>
      perform('reservations.staff.attendance', { ...body, ...narrowed(session) }),

    'POST /reservations/note/': ({ body, session, perform }) =>
      perform('reservations.staff.note', { ...body, ...narrowed(session) }),

    // Undo restores a state that was valid before the change. Users whose role may override rules therefore override
    // those that the reservation has come to break, such as the minimum notice (lead time).
    'POST /reservations/undo/': ({ body, session, perform }) =>
      perform('reservations.staff.undo', {
        ...{ ...body, ...narrowed(session) },
        overridesRules: admits(desk, session.user.role),
      }),

    'POST /reservations/status/': ({ body, session, perform }) => {
      const { refund = 'rule' } = body
      if (refund !== 'rule' && !admits(leading, session.user.role)) throw refusal('refund_forbidden')
      return perform('reservations.staff.status', { ...body, ...narrowed(session) })
    },
  }
}

function asking(session: SessionView, now: number) {
  return { ofProvider: ownProvider(session), now }
}

function searchOf({ search, status, serviceId, providerId, from, to, when, sort }: ReservationSearch) {
  return { search, status, serviceId, providerId, from, to, when, sort }
}
