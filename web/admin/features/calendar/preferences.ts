import { createStore } from '../../data/store.ts'
import { defaultZoom, zooms } from './grid/scale.ts'

/** How the calendar looks and responds to dragging on this device. */
export interface CalendarPreferences {
  /** The zoom, as an index in `zooms`. */
  readonly zoom: number
  /**
   * Whether the whole day is displayed; otherwise only the hours around opening hours, reservations and slots held for
   * open booking forms.
   */
  readonly closed: boolean
  readonly colour: 'service' | 'provider'
  /** Whether dragging over empty time books an appointment or adds time off. */
  readonly drag: 'book' | 'time_off'
}

const storageKey = 'daybook.calendar'
const defaultPreferences: CalendarPreferences = { zoom: defaultZoom, closed: false, colour: 'service', drag: 'book' }

/** The preferences of the calendar, stored on this device. */
export const calendarPreferences = createStore(readStoredPreferences())

/** Changes some preferences of the calendar and stores them on this device. */
export function changePreferences(change: Partial<CalendarPreferences>): void {
  const preferences = { ...calendarPreferences.get(), ...change }
  const zoom = Math.min(Math.max(preferences.zoom, 0), zooms.length - 1)
  calendarPreferences.set({ ...preferences, zoom })
  localStorage.setItem(storageKey, JSON.stringify(calendarPreferences.get()))
}

/** Returns the stored preferences, or the defaults when nothing valid is stored. */
function readStoredPreferences(): CalendarPreferences {
  const found = /^\{"zoom":(\d),"closed":(true|false),"colour":"(service|provider)","drag":"(book|time_off)"\}$/.exec(
    localStorage.getItem(storageKey) ?? '',
  )
  if (!found) return defaultPreferences
  const [, zoom, closed, colour, drag] = found
  return {
    zoom: Math.min(Number(zoom), zooms.length - 1),
    closed: closed === 'true',
    colour: colour === 'provider' ? 'provider' : 'service',
    drag: drag === 'time_off' ? 'time_off' : 'book',
  }
}

// Colours of Mantine, ordered so that adjacent ones differ clearly. In the day and week views, no information depends
// on colour alone: a card always names its service, and a column its provider.
const providerColors = ['blue', 'orange', 'teal', 'grape', 'lime', 'pink', 'cyan', 'yellow'] as const

/** Returns the CSS colour of a provider's reservations, which depends on the provider's id only. */
export function colorOfProvider(id: number): string {
  return `var(--mantine-color-${providerColors[id % providerColors.length]}-6)`
}
