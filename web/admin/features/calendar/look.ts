import { createStore } from '../../data/store.ts'
import { usualZoom, zooms } from './grid/scale.ts'

/** How the calendar looks and reacts on this device. */
export interface CalendarLook {
  /** The index of the zoom. */
  readonly zoom: number
  /** Whether the hours in which no provider is open are shown. */
  readonly closed: boolean
  readonly colour: 'service' | 'provider'
  /** What dragging over free time does. */
  readonly drag: 'book' | 'time_off'
}

const kept = 'daybook.calendar'
const usual: CalendarLook = { zoom: usualZoom, closed: false, colour: 'service', drag: 'book' }

/** The look of the calendar, stored on this device. */
export const calendarLook = createStore(stored())

/** Changes the look of the calendar and stores it on this device. */
export function changeLook(change: Partial<CalendarLook>): void {
  const look = { ...calendarLook.get(), ...change }
  const zoom = Math.min(Math.max(look.zoom, 0), zooms.length - 1)
  calendarLook.set({ ...look, zoom })
  localStorage.setItem(kept, JSON.stringify(calendarLook.get()))
}

/** Returns the stored look; the usual one where the stored text is not one of this version. */
function stored(): CalendarLook {
  const found = /^\{"zoom":(\d),"closed":(true|false),"colour":"(service|provider)","drag":"(book|time_off)"\}$/.exec(
    localStorage.getItem(kept) ?? '',
  )
  if (!found) return usual
  const [, zoom, closed, colour, drag] = found
  return {
    zoom: Math.min(Number(zoom), zooms.length - 1),
    closed: closed === 'true',
    colour: colour === 'provider' ? 'provider' : 'service',
    drag: drag === 'time_off' ? 'time_off' : 'book',
  }
}

// Mantine's colours that differ most from their neighbours in this order. A card always names its service, and a column
// its provider, so that nothing depends on colour.
const providerTones = ['blue', 'orange', 'teal', 'grape', 'lime', 'pink', 'cyan', 'yellow'] as const

/** The colour of a provider's reservations, the same in each view. */
export function toneOfProvider(id: number): string {
  return `var(--mantine-color-${providerTones[id % providerTones.length]}-6)`
}
