import { useEffect } from 'react'
import { refetch, refetchAll, sessionEnded } from './queries.ts'
import { type Item, panelApiRoot, type ReadRoute } from './request.ts'
import { createStore, useStore } from './store.ts'

type LiveMessage = Item<'GET /live/'>
type ChangeKind = LiveMessage['kinds'][number]

/**
 * False while the event stream (`GET /live/`), which reports changes of data, in particular by other users, is
 * interrupted.
 */
export const liveConnected = createStore(true)

const calendarRoutes = [
  'GET /calendar/',
  'GET /calendar/free/',
  'GET /calendar/verdict/',
  'GET /conflicts/',
  'GET /replanning/',
] as const

// The routes to refetch after a change of each kind. A screen whose route is missing here does not show changes by
// other users at once, but only when its response is stale and is requested again.
const routesByKind: Readonly<Record<ChangeKind, readonly ReadRoute[]>> = {
  reservation: [
    'GET /history/',
    'GET /notifications/',
    'GET /reservations/',
    'GET /reservations/one/',
    'GET /today/',
    'GET /reports/',
    'GET /payments/',
    'GET /payments/coupons/',
    'GET /customers/',
    'GET /customers/one/',
    'GET /why/',
    'GET /services/fairness/',
    'GET /booking-page/links/',
    ...calendarRoutes,
  ],
  hold: ['GET /calendar/', 'GET /calendar/free/', 'GET /calendar/verdict/', 'GET /why/'],
  customer: [
    'GET /history/',
    'GET /reservations/',
    'GET /reservations/one/',
    'GET /payments/',
    'GET /payments/disputes/',
    'GET /customers/',
    'GET /customers/one/',
    'GET /customers/tags/',
    'GET /customers/deletion-requests/',
    ...calendarRoutes,
  ],
  service: [
    'GET /history/',
    'GET /reservations/',
    'GET /reservations/one/',
    'GET /reservations/filters/',
    'GET /reports/',
    'GET /payments/',
    'GET /why/',
    'GET /why/choices/',
    'GET /services/',
    'GET /services/one/',
    'GET /services/form/',
    'GET /providers/',
    'GET /providers/one/',
    'GET /booking-page/',
    'GET /booking-page/insight/',
    ...calendarRoutes,
    'GET /services/fairness/',
  ],
  provider: [
    'GET /history/',
    'GET /reservations/',
    'GET /reservations/one/',
    'GET /reservations/filters/',
    'GET /today/',
    'GET /reports/',
    'GET /payments/',
    'GET /why/',
    'GET /why/choices/',
    'GET /services/',
    'GET /services/one/',
    'GET /providers/',
    'GET /providers/one/',
    ...calendarRoutes,
    'GET /services/fairness/',
  ],
  calendar: [
    'GET /history/',
    'GET /calendars/',
    'GET /calendar-accounts/',
    'GET /calendar-apps/',
    'GET /calendar-feeds/',
    'GET /why/',
    ...calendarRoutes,
  ],
  time_off: ['GET /history/', 'GET /time-off/', 'GET /why/', ...calendarRoutes],
  site: [
    'GET /history/',
    'GET /today/',
    'GET /reports/',
    'GET /why/',
    'GET /site/',
    'GET /session/',
    'GET /system/',
    'GET /services/',
    'GET /services/one/',
    'GET /providers/one/',
    ...calendarRoutes,
  ],
  booking_page: [
    'GET /history/',
    'GET /booking-page/',
    'GET /booking-page/links/',
    'GET /booking-page/host-secret/',
    'GET /customers/deletion-requests/',
  ],
  notification_settings: ['GET /history/', 'GET /notifications/settings/', 'GET /notifications/sms/'],
  notification_template: ['GET /history/', 'GET /notifications/templates/', 'GET /notifications/template/'],
}

const reconnectDelay = 3_000

/**
 * Subscribes to the event stream while the calling component is mounted, `isWanted` is true and the session lasts. When
 * the stream reports a change, by this or another user, the affected routes are refetched.
 */
export function useLive(isWanted: boolean): void {
  const ended = useStore(sessionEnded)
  const listens = isWanted && !ended
  useEffect(() => (listens ? listen() : undefined), [listens])
}

function listen(): () => void {
  let reconnecting: ReturnType<typeof setTimeout> | undefined
  let stream: EventSource
  const open = (): void => {
    stream = new EventSource(`${panelApiRoot}/live/`)
    stream.onopen = () => {
      liveConnected.set(true)
      // The stream reports the changes from now on. What was requested before may lack earlier ones: after the first
      // connection those since the page loaded its data, after another one those during the interruption.
      void refetchAll()
    }
    stream.onerror = () => {
      liveConnected.set(false)
      // The browser reconnects by itself unless the request was refused, for example after the session has ended.
      if (stream.readyState !== EventSource.CLOSED) return
      void refetch(['GET /session/'])
      reconnecting = setTimeout(open, reconnectDelay)
    }
    stream.onmessage = (event) => {
      const { kinds }: LiveMessage = JSON.parse(String(event.data))
      void refetch([...new Set(kinds.flatMap((kind) => routesByKind[kind]))])
    }
  }
  open()
  return () => {
    clearTimeout(reconnecting)
    stream.close()
    liveConnected.set(true)
  }
}
