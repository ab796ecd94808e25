import { narrowed, ownProvider, type Panel } from '../../access/sessions/panel-session.routes.ts'
import { listFreeTimes } from '../../availability/free-times.operations.ts'
import type { calendarRows } from '../../contract/panel/calendar.ts'
import type { Handlers } from '../../http/call.ts'
import type { Commands } from '../../operations.ts'
import { judgeTime, showCalendar } from './calendar.operations.ts'

/** The calendar: what is when, and booking and moving on it. */
export function calendarHandlers({ app }: Pick<Panel, 'app'>): Handlers<typeof calendarRows, Commands> {
  return {
    'GET /calendar/': ({ query, session }) => showCalendar(app.db, query, ownProvider(session)),
    'GET /calendar/free/': ({ query, session, now }) =>
      listFreeTimes(app.db, { ...query, now, ofProvider: ownProvider(session) }),
    'GET /calendar/verdict/': ({ query, session, now }) =>
      judgeTime(app.db, query, { ofProvider: ownProvider(session), now }),
    'POST /calendar/book/': ({ body, session, perform }) =>
      perform('reservations.desk.book', { ...body, ...narrowed(session) }),
    'POST /calendar/move/': ({ body, session, perform }) =>
      perform('reservations.desk.move', { ...body, ...narrowed(session) }),
  }
}
