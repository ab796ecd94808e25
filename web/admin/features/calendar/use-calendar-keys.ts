import { useShortcuts } from '../../app/shell/shortcuts.ts'
import { adjacentDate, type CalendarView } from './calendar-view.ts'
import { defaultZoom } from './grid/scale.ts'
import { calendarPreferences, changePreferences } from './preferences.ts'

/** Registers the keyboard shortcuts of the calendar while the calling component is mounted. */
export function useCalendarKeys({ name, date, change }: CalendarView): void {
  const zoomBy = (steps: number): void => changePreferences({ zoom: calendarPreferences.get().zoom + steps })
  useShortcuts({
    ArrowLeft: () => change({ date: adjacentDate(name, date, -1) }),
    ArrowRight: () => change({ date: adjacentDate(name, date, 1) }),
    t: () => change({ date: '' }),
    d: () => change({ view: 'day' }),
    w: () => change({ view: 'week' }),
    m: () => change({ view: 'month' }),
    '+': () => zoomBy(1),
    // The plus key of English keyboards, pressed without Shift.
    '=': () => zoomBy(1),
    '-': () => zoomBy(-1),
    '0': () => changePreferences({ zoom: defaultZoom }),
    h: () => changePreferences({ closed: !calendarPreferences.get().closed }),
    c: () => changePreferences({ colour: calendarPreferences.get().colour === 'service' ? 'provider' : 'service' }),
    p: () => print(),
  })
}
