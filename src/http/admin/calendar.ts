import type { calendarRows } from '../../contract/admin/calendar.ts'
import { judgeTime, showCalendar } from '../../operations/calendar.ts'
import { listFreeTimes } from '../../operations/free-times.ts'
import type { Commands } from '../../operations/index.ts'
import type { Handlers } from '../call.ts'
import { narrowed, ownProvider, type Panel } from './panel.ts'

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
