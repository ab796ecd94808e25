import { narrowed, ownProvider } from '../../access/sessions/panel-session.routes.ts'
import { requireProvider } from '../../catalogue/catalogue.operations.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { calendarAccountRoutes } from '../../contract/panel/calendars/calendar-accounts.ts'
import { encrypt, findDecrypted, type KeyRing } from '../../encryption.ts'
import type { Handlers } from '../../http/call.ts'
import { newId } from '../../ids.ts'
import { message } from '../../messages/message.ts'
import { refusal, wrongFields } from '../../messages/refusal.ts'
import type { Operations } from '../../operations.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import { calendarAddress, faultMessage } from '../calendar-address.ts'
import type { CalendarFaultCode } from '../calendar-fault.ts'
import type { CalendarContext } from '../calendars.routes.ts'
import { listCalendars } from '../calendars.sql.ts'
import type { CalendarDestination, EventFault } from '../destinations/destination.ts'
import { findDestination, listDestinations } from '../destinations/destinations.sql.ts'
import { countFailingEvents, listEventsOf } from '../destinations/events.sql.ts'
import { type AccountKind, type AccountSecret, accountPlace, type CalendarAccount, listedCalendars } from './account.ts'
import { findAccount, listAccountKinds, listAccounts } from './accounts.sql.ts'

/**
 * Route handlers of accounts on other calendar systems, such as those that connect an account, and choose which of its
 * calendars block time and to which one reservations are written.
 */
export function calendarAccountHandlers({
  app,
  findKey,
  outbound,
}: CalendarContext): Handlers<typeof calendarAccountRoutes, Operations> {
  const keys = async (): Promise<KeyRing> => {
    const found = await findKey()
    if (!found) throw refusal('secret_key_missing')
    return found
  }
  const sealed = async (id: string, { url: text, ...credentials }: AccountSecret) => {
    const address = calendarAddress(text)
    const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`
    if (!outbound.accepts(url)) throw wrongFields({ url: message('calendar_url_wrong') })
    const secret: AccountSecret = { url, ...credentials }
    return { sealed: encrypt(await keys(), JSON.stringify(secret), accountPlace(id)), host: new URL(url).host }
  }
  const storedUrl = async ({ id, sealed: stored }: CalendarAccount): Promise<string> => {
    const text = findDecrypted(await keys(), stored, accountPlace(id))
    const secret: AccountSecret | undefined = text === undefined ? undefined : JSON.parse(text)
    if (!secret) throw refusal('calendar_not_found')
    return secret.url
  }
  return {
    'GET /calendar-accounts/': async ({ query: { providerId }, session, now }) => {
      const own = ownProvider(session) ?? providerId
      requireProvider(await loadCatalogue(app.db), own === providerId ? providerId : 0)
      const calendars = await listCalendars(app.db, providerId)
      const destination = await findDestination(app.db, providerId)
      const accounts = await listAccounts(app.db, providerId)
      const items = accounts.map((account) => {
        const blocking = calendars.flatMap(({ account: of, name }) =>
          of?.id === account.id ? { ref: of.remote, name } : [],
        )
        const blockingRefs = new Set(blocking.map(({ ref }) => ref))
        const written =
          destination?.accountId === account.id ? [{ ref: destination.calendar, name: destination.name }] : []
        const { id, kind, login: user, host, fault, faultDetail } = account
        return {
          ...{ id, kind, user, host, foundAt: account.foundAt || null },
          fault: fault && faultMessage(fault, faultDetail, kind),
          calendars: listedCalendars(account, [...blocking, ...written]).map((calendar) => ({
            ...calendar,
            blocks: blockingRefs.has(calendar.ref),
          })),
        }
      })
      const kind = accounts.find(({ id }) => id === destination?.accountId)?.kind ?? 'caldav'
      return { items, destination: destination ? await shownDestination(destination, kind, now) : null }
    },

    'POST /calendar-accounts/connect/': async ({ body: { providerId, url, user, password }, session, perform }) => {
      const id = newId('calendar_account')
      const secret = await sealed(id, { url, user, password })
      const account = { id, providerId, kind: 'caldav', login: user, ...secret } as const
      return perform('calendars.accounts.connect', { ...account, ...narrowed(session) })
    },

    'POST /calendar-accounts/edit/': async ({ body: { id, url, user, password }, session, perform }) => {
      const before = await findAccount(app.db, id)
      // An account with an OAuth sign-in has neither an address nor a password.
      if (before?.kind !== 'caldav') throw refusal('calendar_not_found')
      const secret = await sealed(id, { url: url ?? (await storedUrl(before)), user, password })
      return perform('calendars.accounts.edit', { id, login: user, ...secret, ...narrowed(session) })
    },

    'POST /calendar-accounts/refresh/': ({ body, session, perform }) =>
      perform('calendars.accounts.refresh', { ...body, ...narrowed(session) }),

    'POST /calendar-accounts/choose/': ({ body, session, perform }) =>
      perform('calendars.accounts.choose', { ...body, ...narrowed(session) }),

    'POST /calendar-accounts/destination/': ({ body, session, perform }) =>
      perform('calendars.destinations.set', { ...body, ...narrowed(session) }),

    'POST /calendar-accounts/remove/': ({ body, session, perform }) =>
      perform('calendars.accounts.remove', { ...body, ...narrowed(session) }),

    'GET /calendar-events/': async ({ query: { reservationId }, session }) => {
      const own = ownProvider(session)
      const reservation = await findReservation(app.db, reservationId)
      const events = await listEventsOf(app.db, reservationId)
      const involved = [reservation, ...events].map((one) => one?.providerId)
      if (!reservation || (own !== undefined && !involved.includes(own))) throw refusal('reservation_not_found')
      const destinations = await listDestinations(
        app.db,
        events.map(({ providerId }) => providerId),
      )
      const kinds = await listAccountKinds(
        app.db,
        events.map(({ accountId }) => accountId),
      )
      return events.map(({ providerId, accountId, calendar, etag, written, fault, faultDetail }) => ({
        providerId,
        calendar: destinations.find((one) => one.providerId === providerId && one.calendar === calendar)?.name ?? '',
        written: etag !== '' && written !== '',
        withoutMeeting: fault === 'no_meeting',
        contested: fault === 'contested',
        fault: isCalendarFault(fault) ? faultMessage(fault, faultDetail, kinds.get(accountId) ?? 'caldav') : null,
      }))
    },
  }

  async function shownDestination(destination: CalendarDestination, kind: AccountKind, now: number) {
    const { accountId, calendar: ref, name, policy, names, meetings } = destination
    const { readAt, nextAt, fault, faultDetail } = destination
    return {
      ...{ accountId, ref, name, policy, names, meetings, nextAt },
      readAt: readAt || null,
      fault: fault && faultMessage(fault, faultDetail, kind),
      failing: await countFailingEvents(app.db, destination, now),
    }
  }
}

/** Whether there is a fault for which `faultMessage` has a message: any except `contested` and `no_meeting`. */
function isCalendarFault(fault: EventFault | null): fault is CalendarFaultCode {
  return fault !== null && fault !== 'contested' && fault !== 'no_meeting'
}
