import { ActionIcon } from '@mantine/core'
import { IconCalendarOff, IconFold, IconFoldDown } from '@tabler/icons-react'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desk } from '../../../../../src/access/users/role-groups.ts'
import type { AttendanceState } from '../../../../../src/reservations/attendance/attendance.ts'
import { ActionsMenu, LinkItem } from '../../../components/dialogs/actions-menu.tsx'
import { ProviderLink } from '../../../components/records/provider-link.tsx'
import type { Clock } from '../../../data/dates/clock.ts'
import { useFormats, useLocale } from '../../../data/dates/formats.ts'
import { briefTimeOfDay } from '../../../data/dates/intl.ts'
import { useToday } from '../../../data/dates/now.ts'
import { useHasRole } from '../../../data/session.ts'
import { useStore } from '../../../data/store.ts'
import { calendarPreferences, changePreferences } from '../preferences.ts'
import styles from './calendar.module.css'
import {
  axisHours,
  type CalendarData,
  type ColumnBusy,
  type ColumnReservation,
  columnsOf,
  initialScrollMinute,
} from './columns.ts'
import { DayColumn } from './day-column.tsx'
import { type DropTarget, useGridDrag } from './drag.ts'
import { DragPreview } from './drag-preview.tsx'
import { type EmptyTime, EmptyTimeMenu } from './empty-time-menu.tsx'
import { cssTopOf, type Scale, scaleOf } from './scale.ts'

declare module 'react' {
  interface CSSProperties {
    [variable: `--${string}`]: string | number
  }
}

interface TimeGridProps {
  /** Whether reservations and time off can be changed. */
  readonly changes: boolean
  /** The ids of the reservations in conflict: a change made them break scheduling rules. */
  readonly conflicts: ReadonlySet<string>
  readonly calendar: CalendarData
  /** The shown dates, `YYYY-MM-DD`; each provider has a column for each date. */
  readonly dates: readonly string[]
  readonly clock: Clock
  readonly busy: boolean
  readonly label: string
  /** The id of a reservation whose move the service has not confirmed yet; undefined when no move is pending. */
  readonly moving: string | undefined
  readonly onOpen: (reservation: ColumnReservation) => void
  readonly onDrop: (reservation: ColumnReservation, target: DropTarget & { readonly resized: boolean }) => void
  /**
   * Called to book an appointment: when the user clicks empty time, drags over empty time (unless the preference `drag`
   * is `time_off`), or chooses to book in the context menu of empty time.
   */
  readonly onPoint: (target: Pick<DropTarget, 'providerId' | 'start'>) => void
  readonly onTimeOff: (target: DropTarget) => void
  /** Called to book another place in the slot of a reservation, for a service with several places per slot. */
  readonly onAdd: (reservation: ColumnReservation) => void
  readonly onBusy: (busy: ColumnBusy) => void
  readonly onMark: (reservation: ColumnReservation, state: AttendanceState) => void
}

const axisWidth = '3.4rem'

/**
 * The calendar grid: one column per provider and date. If `changes` is true, reservations can be dragged and resized,
 * and empty time can be clicked and selected.
 */
export function TimeGrid(props: TimeGridProps) {
  const { calendar, dates, clock, busy, label, moving, changes, conflicts, onDrop, onPoint, onTimeOff } = props
  const { t } = useTranslation()
  const { longDate } = useFormats()
  const locale = useLocale()
  const columns = useMemo(() => columnsOf(calendar, dates, clock), [calendar, dates, clock])
  const services = useMemo(() => new Map(calendar.services.map((one) => [one.id, one])), [calendar.services])
  const { zoom, closed, colour, drag: byDragging } = useStore(calendarPreferences)
  const scale = useMemo(() => scaleOf(columns, { zoom, closed }), [columns, zoom, closed])
  const [menu, setMenu] = useState<EmptyTime>()
  const { drag, grid, handlers } = useGridDrag({
    columns,
    services,
    clock,
    scale,
    onDrop,
    onPoint,
    onSelect: byDragging === 'book' ? ({ providerId, start }) => onPoint({ providerId, start }) : onTimeOff,
    onMenu: (target, pointer) => setMenu({ ...target, pointer }),
  })
  const onAdd = useLatest(props.onAdd)
  const onOpen = useLatest(props.onOpen)
  const onBusy = useLatest(props.onBusy)
  const onMark = useLatest(props.onMark)
  const scroller = useInitialScroll(scale, initialScrollMinute(columns))
  const today = useToday(clock.zone)
  const byDay = dates.length > 1
  const heads = byDay ? 2 : 1
  // The minimum width of a column in rem. If the window is too narrow for all columns, the grid scrolls horizontally.
  const narrowest = byDay ? 6.4 : 8.6
  const row = heads + 1
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
    <section ref={scroller} className={styles.scroller} data-wide aria-label={label} aria-busy={busy} tabIndex={0}>
      <div
        {...(changes && handlers)}
        ref={grid}
        className={styles.grid}
        style={{
          minWidth: `calc(${axisWidth} + ${columns.length * narrowest}rem)`,
          gridTemplateColumns: `${axisWidth} repeat(${columns.length}, minmax(${narrowest}rem, 1fr))`,
          gridTemplateRows: `${'auto '.repeat(heads)}${(scale.last - scale.first) * scale.perMinute}px`,
          '--heads': heads,
          '--first': scale.first,
          '--minute': `${scale.perMinute}px`,
          '--hour': `${60 * scale.perMinute}px`,
        }}
      >
        <div className={styles.corner}>
          <ActionIcon
            size={24}
            aria-label={t('calendarView.closedHours')}
            title={t('calendarView.closedHours')}
            aria-pressed={closed}
            onClick={() => changePreferences({ closed: !closed })}
          >
            {closed ? <IconFold size={16} /> : <IconFoldDown size={16} />}
          </ActionIcon>
        </div>
        <ColumnHeaders columns={columns} dates={dates} zone={clock.zone} today={today} />
        <div className={styles.axis} style={{ gridRow: row }} aria-hidden>
          {axisHours
            .filter((minute) => minute >= scale.first && minute < scale.last)
            .map((minute) => (
              <span key={minute} className="tabular" style={{ top: cssTopOf(minute) }}>
                {briefTimeOfDay(minute, locale)}
              </span>
            ))}
        </div>
        {columns.map((column, place) => (
          <DayColumn
            key={column.key}
            column={column}
            place={place}
            row={row}
            first={byDay && column.date === dates[0]}
            today={column.date === today}
            label={`${column.provider.name}, ${longDate(column.day.start)}`}
            services={services}
            colour={colour}
            perMinute={scale.perMinute}
            moving={column.cards.some(({ item }) => item.id === moving) ? moving : undefined}
            onOpen={onOpen}
            changes={changes}
            conflicts={conflicts}
            onBusy={onBusy}
            onAdd={onAdd}
            onMark={onMark}
          />
        ))}
        <DragPreview drag={drag} columns={columns} row={row} />
      </div>
      {menu && <EmptyTimeMenu at={menu} close={() => setMenu(undefined)} book={onPoint} timeOff={onTimeOff} />}
    </section>
  )
}

interface ColumnHeadersProps {
  readonly columns: ReturnType<typeof columnsOf>
  readonly dates: readonly string[]
  readonly zone: string
  readonly today: string
}

/** The column headers: the providers, and with several dates a second row with the dates. */
function ColumnHeaders({ columns, dates, zone, today }: ColumnHeadersProps) {
  const { t } = useTranslation()
  const { shortDate } = useFormats()
  const byDay = dates.length > 1
  return columns.map((column, place) => {
    const { provider, date, day, key } = column
    const first = date === dates[0]
    const elsewhere = provider.zone !== zone && (
      <span className={styles.small}>{t('calendar.at', { zone: provider.zone })}</span>
    )
    return byDay ? (
      [
        first && (
          <div
            key={`${key} group`}
            className={`${styles.head} ${styles.group}`}
            style={{ gridColumn: `${place + 2} / span ${dates.length}`, gridRow: 1 }}
          >
            <span>
              <ProviderLink {...provider} alone />
            </span>
            <ColumnHeaderMenu provider={provider} dates={dates} />
          </div>
        ),
        <div
          key={key}
          className={styles.head}
          data-second
          data-first={first || undefined}
          data-today={date === today || undefined}
          style={{ gridColumn: place + 2, gridRow: 2 }}
        >
          <span>{shortDate(day.start)}</span>
        </div>,
      ]
    ) : (
      <div key={key} className={styles.head} style={{ gridColumn: place + 2, gridRow: 1 }}>
        <span title={provider.name}>
          <ProviderLink {...provider} alone />
        </span>
        {elsewhere}
        <ColumnHeaderMenu provider={provider} dates={[date]} />
      </div>
    )
  })
}

interface ColumnHeaderMenuProps {
  readonly provider: { readonly id: number; readonly name: string }
  /** The dates of the provider that the calendar shows, `YYYY-MM-DD`. */
  readonly dates: readonly string[]
}

/** The menu of a provider in the column header, for roles that work with all calendars. */
function ColumnHeaderMenu({ provider: { id, name }, dates }: ColumnHeaderMenuProps) {
  const { t } = useTranslation()
  if (!useHasRole(desk)) return null
  const period = { from: dates[0] ?? '', to: dates.at(-1) ?? '' }
  return (
    <div className={styles.headMenu}>
      <ActionsMenu label={`${t('common.actions')}: ${name}`}>
        <LinkItem
          icon={<IconCalendarOff size={16} />}
          to="/calendar/absence"
          search={{ providerId: String(id), ...period }}
        >
          {t('calendar.planAbsence')}
        </LinkItem>
      </ActionsMenu>
    </div>
  )
}

/** Returns a stable function that calls the latest `run`, so that memoised children are not rendered again. */
function useLatest<Values extends unknown[]>(run: (...values: Values) => void): (...values: Values) => void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  return useCallback((...values) => latest.current(...values), [])
}

/**
 * Returns the ref of a scroll container. Initially, and whenever `minute` changes, the container scrolls to the time of
 * day `minute`, in minutes from midnight. After any other change of the scale, the same time as before is at the upper
 * edge.
 */
function useInitialScroll(scale: Scale, minute: number): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null)
  const before = useRef<Scale>(undefined)
  const shown = useRef<number>(undefined)
  useLayoutEffect(() => {
    const { first, perMinute } = before.current ?? scale
    const opening = Math.max(0, (minute - scale.first) * scale.perMinute - 20)
    const kept = (first + (place.current?.scrollTop ?? 0) / perMinute - scale.first) * scale.perMinute
    const changed = before.current?.first !== scale.first || before.current.perMinute !== scale.perMinute
    if (shown.current !== minute) place.current?.scrollTo({ top: opening })
    else if (changed) place.current?.scrollTo({ top: Math.max(0, kept) })
    before.current = scale
    shown.current = minute
  }, [scale, minute])
  return place
}
