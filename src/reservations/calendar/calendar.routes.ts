import { narrowed, ownProvider, type PanelContext } from '../../access/sessions/panel-session.routes.ts'
import { listFreeTimes } from '../../availability/free-times.operations.ts'
import type { calendarRoutes } from '../../contract/panel/calendar.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import { checkTime, showCalendar } from './calendar.operations.ts'

/**
 * Returns the handlers of the panel's routes that show the calendar, list free times, check a time, and book and move
 * reservations in the calendar.
 */
export function calendarHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof calendarRoutes, Operations> {
  return {
    'GET /calendar/': ({ query, session, now }) =>
      showCalendar(app.db, query, { ofProvider: ownProvider(session), now }),
    'GET /calendar/free/': ({ query, session, now }) =>
      listFreeTimes(app.db, { ...query, now, ofProvider: ownProvider(session) }),
    'GET /calendar/verdict/': ({ query, session, now }) =>
      checkTime(app.db, query, { ofProvider: ownProvider(session), now }),
    'POST /calendar/book/': ({ body, session, perform }) =>
      perform('reservations.staff.book', { ...body, ...narrowed(session) }),
    'POST /calendar/move/': ({ body, session, perform }) =>
      perform('reservations.staff.move', { ...body, ...narrowed(session) }),
  }
}
