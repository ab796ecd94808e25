import { narrowed, ownProvider, type PanelContext } from '../access/sessions/panel-session.routes.ts'
import { requireProvider } from '../catalogue/catalogue.operations.ts'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import type { connectedCalendarRoutes } from '../contract/panel/calendars/connected-calendars.ts'
import { encrypt, type KeyRing } from '../encryption.ts'
import type { Handlers } from '../http/call.ts'
import type { OutboundClient } from '../http/outbound/outbound-client.ts'
import { newId } from '../ids.ts'
import { message } from '../messages/message.ts'
import { refusal, wrongFields } from '../messages/refusal.ts'
import type { Operations } from '../operations.ts'
import { type CalendarSecret, type ConnectedCalendar, calendarPlace, defaultBlocking, stateOf } from './calendar.ts'
import { calendarAddress, faultMessage } from './calendar-address.ts'
import { listCalendars } from './calendars.sql.ts'
import { pushState } from './push/watch.ts'
import { listWatches } from './push/watches.sql.ts'
import { limitsOf } from './sync/sync.operations.ts'

/** The dependencies of the route handlers of connected calendars. */
export interface CalendarContext extends Pick<PanelContext, 'app' | 'findKey'> {
  readonly outbound: Pick<OutboundClient, 'accepts'>
}

/** Route handlers that list, connect, change and remove calendars of other systems, and queue their reading. */
export function connectedCalendarHandlers({
  app,
  findKey,
  outbound,
}: CalendarContext): Handlers<typeof connectedCalendarRoutes, Operations> {
  const keys = async (): Promise<KeyRing> => {
    const found = await findKey()
    if (!found) throw refusal('secret_key_missing')
    return found
  }
  const sealed = async (id: string, text: string) => {
    const url = calendarAddress(text)
    if (!outbound.accepts(url)) throw wrongFields({ url: message('calendar_url_wrong') })
    const secret: CalendarSecret = { url }
    return { sealed: encrypt(await keys(), JSON.stringify(secret), calendarPlace(id)), host: new URL(url).host }
  }
  return {
    'GET /calendars/': async ({ query: { providerId }, session, now }) => {
      const own = ownProvider(session) ?? providerId
      const catalogue = await loadCatalogue(app.db)
      requireProvider(catalogue, own === providerId ? providerId : 0)
      const { poll, maxAge } = limitsOf(catalogue)
      const calendars = await listCalendars(app.db, providerId)
      const watches = await listWatches(
        app.db,
        calendars.map(({ id }) => id),
      )
      const items = calendars.map((calendar) => {
        const watch = watches.find(({ calendarId }) => calendarId === calendar.id)
        return { ...shown(calendar, { now, maxAge }), push: pushState(watch, now) }
      })
      return { items, pollMinutes: poll / 60, maxAgeMinutes: maxAge / 60 }
    },

    'POST /calendars/connect/': async ({
      body: { url, blocking = defaultBlocking, opening = null, ...body },
      session,
      perform,
    }) => {
      const id = newId('calendar')
      const address = await sealed(id, url)
      return perform('calendars.connect', {
        ...body,
        ...narrowed(session),
        id,
        kind: 'ics',
        blocking,
        opening,
        ...address,
      })
    },

    'POST /calendars/edit/': async ({ body: { url, ...body }, session, perform }) =>
      perform('calendars.edit', {
        ...body,
        ...narrowed(session),
        ...(url !== undefined && { address: await sealed(body.id, url) }),
      }),

    'POST /calendars/sync/': ({ body, session, perform }) =>
      perform('calendars.sync', { ...body, ...narrowed(session) }),

    'POST /calendars/remove/': ({ body, session, perform }) =>
      perform('calendars.remove', { ...body, ...narrowed(session) }),
  }
}

function shown(calendar: ConnectedCalendar, at: { readonly now: number; readonly maxAge: number }) {
  const { id, kind, name, host, blocking, opening, openingFaults } = calendar
  const { fault, faultDetail, readAt, triedAt, nextAt, coveredUntil, content } = calendar
  return {
    ...{ id, kind, name, host, blocking, opening, openingFaults, state: stateOf(calendar, at), triedAt, nextAt },
    fault: fault && faultMessage(fault, faultDetail, kind),
    readAt: readAt || null,
    coveredUntil: coveredUntil || null,
    count: content?.count ?? 0,
    openings: content?.openings ?? 0,
  }
}
