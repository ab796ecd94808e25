import { useEffect } from 'react'
import { type Item, panelApiRoot, type ReadRow } from './ask.ts'
import { queryClient, readAgain, sessionEnded } from './queries.ts'
import { createStore, useStore } from './store.ts'

type Message = Item<'GET /live/'>
type Kind = Message['kinds'][number]

/** Whether changes by others are heard at the moment. */
export const hearing = createStore(true)

const ofCalendar = ['GET /calendar/', 'GET /calendar/verdict/'] as const

// What to read again when something of a kind changed. A row that a screen shows and others change belongs in here.
const about: Readonly<Record<Kind, readonly ReadRow[]>> = {
  reservation: [
    'GET /history/',
    'GET /reservations/',
    'GET /reservations/one/',
    'GET /today/',
    'GET /customers/',
    'GET /customers/one/',
    'GET /why/',
    'GET /services/fairness/',
    ...ofCalendar,
  ],
  customer: [
    'GET /history/',
    'GET /reservations/',
    'GET /reservations/one/',
    'GET /customers/',
    'GET /customers/one/',
    ...ofCalendar,
  ],
  service: [
    'GET /history/',
    'GET /reservations/filters/',
    'GET /why/',
    'GET /why/choices/',
    'GET /services/',
    'GET /services/one/',
    'GET /providers/',
    'GET /providers/one/',
    ...ofCalendar,
    'GET /services/fairness/',
  ],
  provider: [
    'GET /history/',
    'GET /reservations/filters/',
    'GET /today/',
    'GET /why/',
    'GET /why/choices/',
    'GET /services/',
    'GET /services/one/',
    'GET /providers/',
    'GET /providers/one/',
    ...ofCalendar,
    'GET /services/fairness/',
  ],
  time_off: ['GET /history/', 'GET /time-off/', 'GET /why/', ...ofCalendar],
  site: ['GET /history/', 'GET /why/', 'GET /site/', 'GET /session/', 'GET /providers/one/', ...ofCalendar],
}

const pause = 3_000

/** Hears what others change while the shell is open and the session lasts, and has the screens read it again. */
export function useLive(): void {
  const ended = useStore(sessionEnded)
  useEffect(() => (ended ? undefined : listen()), [ended])
}

function listen(): () => void {
  let again: ReturnType<typeof setTimeout> | undefined
  let stream: EventSource
  const open = (): void => {
    stream = new EventSource(`${panelApiRoot}/live/`)
    stream.onopen = () => {
      // What happened in between was not heard.
      if (!hearing.get()) void queryClient.invalidateQueries()
      hearing.set(true)
    }
    stream.onerror = () => {
      hearing.set(false)
      // A browser tries again by itself unless it was refused, which is also how the end of the session shows.
      if (stream.readyState !== EventSource.CLOSED) return
      void readAgain(['GET /session/'])
      again = setTimeout(open, pause)
    }
    stream.onmessage = (event) => {
      const { kinds }: Message = JSON.parse(String(event.data))
      void readAgain([...new Set(kinds.flatMap((kind) => about[kind]))])
    }
  }
  open()
  return () => {
    clearTimeout(again)
    stream.close()
  }
}
