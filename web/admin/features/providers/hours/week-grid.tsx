import { Text } from '@mantine/core'
import { type CSSProperties, type PointerEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Weekday, weekdays } from '../../../../../src/catalogue/providers/provider.ts'
import { minutesOfDay } from '../../../data/dates/clock.ts'
import { useWeekdays } from '../../../data/dates/weekdays.ts'
import styles from './week-grid.module.css'
import { formatWindowMinutes, type WeekValues, type WindowMinutes, windowMinutesOf } from './week-values.ts'

const step = 15
const shortest = 15
/** The length in minutes of an opening window that a click adds. */
const clickLength = 60

interface Bar {
  readonly day: Weekday
  /** The index of the opening window within its day. */
  readonly at: number
  readonly span: WindowMinutes
}

interface Drag {
  readonly grip: 'start' | 'end' | 'whole' | 'new'
  /** The minute of the day at which the pointer was pressed. */
  readonly from: number
  readonly bar: Bar
  /** The bar as it would be stored if the pointer were released now. */
  readonly to: Bar
}

interface WeekGridProps {
  readonly week: WeekValues
  readonly onChange: (week: WeekValues) => void
}

/**
 * Edits the opening windows of a week as bars: a bar is drawn on empty space, moved by its middle and resized by its
 * ends. Keyboard users edit the fields of `WeekFields` instead.
 */
export function WeekGrid({ week, onChange }: WeekGridProps) {
  const { t } = useTranslation()
  const names = useWeekdays()
  const days = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<Drag>()
  const bars = weekdays.flatMap((day) =>
    week[day].flatMap((window, at): Bar[] => {
      const span = windowMinutesOf(window)
      return span ? [{ day, at, span }] : []
    }),
  )
  const place = (event: PointerEvent): { day: Weekday; minutes: number } => {
    const box = days.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    const rtl = document.documentElement.dir === 'rtl'
    const across = rtl ? box.right - event.clientX : event.clientX - box.left
    const column = Math.min(6, Math.max(0, Math.floor((across / box.width) * 7)))
    const minutes = Math.min(1, Math.max(0, (event.clientY - box.top) / box.height)) * minutesOfDay
    return { day: weekdays[column] ?? 'mon', minutes }
  }
  const begin = (event: PointerEvent, grip: Drag['grip'], bar?: Bar): void => {
    if (event.button !== 0) return
    event.stopPropagation()
    days.current?.setPointerCapture(event.pointerId)
    const { day, minutes } = place(event)
    const start = Math.floor(minutes / step) * step
    const made = bar ?? { day, at: week[day].length, span: { start, end: start } }
    setDrag({ grip, from: minutes, bar: made, to: made })
  }
  const move = (event: PointerEvent): void => {
    if (drag) setDrag({ ...drag, to: moved(drag, place(event)) })
  }
  const end = (): void => {
    if (!drag) return
    setDrag(undefined)
    const { grip, bar } = drag
    let { to } = drag
    if (grip === 'new' && to.span.end - to.span.start < shortest) {
      const { start } = to.span
      to = {
        ...to,
        span: { start: Math.min(start, minutesOfDay - clickLength), end: Math.min(start + clickLength, minutesOfDay) },
      }
    }
    if (grip !== 'new' && sameBar(bar, to)) return
    const without = grip === 'new' ? week : { ...week, [bar.day]: week[bar.day].toSpliced(bar.at, 1) }
    const windows = [...without[to.day], formatWindowMinutes(to.span)].sort((one, other) =>
      one.from < other.from ? -1 : 1,
    )
    onChange({ ...without, [to.day]: windows })
  }
  const shown = drag ? bars.filter((bar) => drag.grip === 'new' || !isAt(bar, drag.bar)) : bars
  return (
    <div className={styles.grid} aria-hidden>
      <div className={styles.heads}>
        {weekdays.map((day) => (
          <Text key={day} size="xs" c="dimmed" ta="center">
            {names(day, 'short')}
          </Text>
        ))}
      </div>
      <div className={styles.hours}>
        {[0, 6, 12, 18, 24].map((hour) => (
          <Text key={hour} size="xs" c="dimmed" className="tabular" style={{ insetBlockStart: share(hour * 60) }}>
            {hour}
          </Text>
        ))}
      </div>
      <div
        ref={days}
        className={styles.days}
        data-testid="week"
        onPointerDown={(event) => begin(event, 'new')}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={() => setDrag(undefined)}
      >
        {shown.map((bar) => (
          <BarOf key={`${bar.day} ${bar.at}`} bar={bar} begin={begin} />
        ))}
        {drag && <BarOf bar={drag.to} begin={begin} />}
      </div>
      <Text size="xs" c="dimmed" className={styles.help ?? ''}>
        {t('providers.gridHelp')}
      </Text>
    </div>
  )
}

interface BarOfProps {
  readonly bar: Bar
  readonly begin: (event: PointerEvent, grip: Drag['grip'], bar: Bar) => void
}

function BarOf({ bar, begin }: BarOfProps) {
  const { day, span } = bar
  const { from, to } = formatWindowMinutes(span)
  const column = weekdays.indexOf(day)
  return (
    <>
      <div
        className={styles.bar}
        style={boxOf(column, { start: span.start, end: Math.min(span.end, minutesOfDay) })}
        onPointerDown={(event) => begin(event, 'whole', bar)}
      >
        <i className={styles.start} onPointerDown={(event) => begin(event, 'start', bar)} />
        <span className="tabular">{from}</span>
        <span className="tabular">{to}</span>
        <i className={styles.end} onPointerDown={(event) => begin(event, 'end', bar)} />
      </div>
      {span.end > minutesOfDay && (
        <div className={styles.rest} style={boxOf((column + 1) % 7, { start: 0, end: span.end - minutesOfDay })} />
      )}
    </>
  )
}

function boxOf(column: number, { start, end }: WindowMinutes): CSSProperties {
  return {
    insetInlineStart: `${(column / 7) * 100}%`,
    insetBlockStart: share(start),
    blockSize: share(end - start),
  }
}

function share(minutes: number): string {
  return `${(minutes / minutesOfDay) * 100}%`
}

/**
 * Returns the bar after the drag: drawn (`new`), resized or moved to the pointer position, in steps of 15 minutes. The
 * bar ends no later than midnight or, if it ended after midnight before the drag, no later than that end.
 */
function moved({ grip, from, bar }: Drag, { day, minutes }: { readonly day: Weekday; readonly minutes: number }): Bar {
  const { start, end } = bar.span
  const by = Math.round((minutes - from) / step) * step
  const most = Math.max(minutesOfDay, end)
  if (grip === 'new') {
    const other = Math.round(minutes / step) * step
    return { ...bar, span: { start: Math.min(start, other), end: Math.max(start, other) } }
  }
  if (grip === 'start') return { ...bar, span: { start: clamp(start + by, 0, Math.min(end - shortest, 1_425)), end } }
  if (grip === 'end') return { ...bar, span: { start, end: clamp(end + by, start + shortest, most) } }
  const first = clamp(start + by, 0, most - (end - start))
  return { ...bar, day, span: { start: first, end: first + end - start } }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

function isAt(one: Bar, other: Bar): boolean {
  return one.day === other.day && one.at === other.at
}

function sameBar(one: Bar, other: Bar): boolean {
  return one.day === other.day && one.span.start === other.span.start && one.span.end === other.span.end
}
