import { useShortcuts } from '../../app/shell/shortcuts.ts'
import { beside, type CalendarView } from './calendar-view.ts'
import { usualZoom } from './grid/scale.ts'
import { calendarLook, changeLook } from './look.ts'

/** The keyboard shortcuts of the calendar. */
export function useCalendarKeys({ name, date, change }: CalendarView): void {
  const zoomBy = (steps: number): void => changeLook({ zoom: calendarLook.get().zoom + steps })
  useShortcuts({
    ArrowLeft: () => change({ date: beside(name, date, -1) }),
    ArrowRight: () => change({ date: beside(name, date, 1) }),
    t: () => change({ date: '' }),
    d: () => change({ view: 'day' }),
    w: () => change({ view: 'week' }),
    m: () => change({ view: 'month' }),
    '+': () => zoomBy(1),
    // The key of the plus sign without Shift, on English keyboards.
    '=': () => zoomBy(1),
    '-': () => zoomBy(-1),
    '0': () => changeLook({ zoom: usualZoom }),
    h: () => changeLook({ closed: !calendarLook.get().closed }),
    c: () => changeLook({ colour: calendarLook.get().colour === 'service' ? 'provider' : 'service' }),
    p: () => print(),
  })
}
