import { IconAlertTriangle, IconHourglass, IconNote } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttendanceState, MarkedState } from '../../../../../src/reservations/attendance/attendance.ts'
import type { Clock } from '../../../data/dates/clock.ts'
import { useLocale } from '../../../data/dates/formats.ts'
import { briefTimeOfDay, timeOfDay } from '../../../data/dates/intl.ts'
import { nextAttendance } from '../../reservations/visit/attendance.tsx'
import { type CalendarPreferences, colorOfProvider } from '../preferences.ts'
import { AttendanceIcon } from './attendance-icon.tsx'
import styles from './calendar.module.css'
import type { CalendarColumn, ColumnBusy, ColumnReservation, ColumnService } from './columns.ts'
import { GroupCard } from './group-card.tsx'
import type { PositionedBlock } from './layout.ts'
import { NowIndicator } from './now-indicator.tsx'
import { cssBoxOf, cssTopOf } from './scale.ts'

interface DayColumnProps {
  readonly column: CalendarColumn
  /** The index of the column in the grid, from 0. */
  readonly place: number
  readonly row: number
  /** Whether the column is the first of several columns of its provider; false when each provider has one column. */
  readonly first: boolean
  readonly today: boolean
  /** The accessible name of the column. */
  readonly label: string
  readonly services: ReadonlyMap<string, ColumnService>
  readonly colour: CalendarPreferences['colour']
  /** The scale of the grid in pixels per minute. */
  readonly perMinute: number
  /** The id of a reservation whose move the service has not confirmed yet; undefined when no move is pending. */
  readonly moving: string | undefined
  readonly onOpen: (reservation: ColumnReservation) => void
  readonly changes: boolean
  readonly conflicts: ReadonlySet<string>
  readonly onBusy: (busy: ColumnBusy) => void
  readonly onAdd: (reservation: ColumnReservation) => void
  readonly onMark: (reservation: ColumnReservation, state: AttendanceState) => void
}

/** The column of one provider and date: opening hours, busy times and reservations. */
export const DayColumn = memo(function DayColumn(props: DayColumnProps) {
  const { column, place, row, first, today, label, services, perMinute, moving, changes, conflicts } = props
  const { onOpen, onBusy, onAdd, onMark } = props
  const { t } = useTranslation()
  const locale = useLocale()
  const byProvider = props.colour === 'provider' ? colorOfProvider(column.provider.id) : undefined
  const colorOf = (serviceId: string | undefined): string | undefined =>
    byProvider ?? services.get(serviceId ?? '')?.color ?? undefined
  return (
    <section
      className={styles.column}
      data-column={place}
      data-first={first || undefined}
      aria-label={label}
      style={{ gridColumn: place + 2, gridRow: row }}
    >
      {column.open.map((block) => (
        <div key={block.top} className={styles.open} style={cssBoxOf(block)} />
      ))}
      {column.busy.map(({ item, block }) =>
        item.source === 'time_off' && changes ? (
          <button
            type="button"
            key={item.id}
            className={styles.busy}
            style={cssBoxOf(block)}
            onClick={() => onBusy(item)}
          >
            <span>{item.note || t('calendar.timeOff')}</span>
          </button>
        ) : (
          <div key={item.id} className={styles.busy} style={cssBoxOf(block)}>
            <span>{item.source === 'time_off' ? item.note || t('calendar.timeOff') : t('calendar.inCalendar')}</span>
          </div>
        ),
      )}
      {column.shared.map(({ item, block }) => (
        <div key={item.id} className={styles.busy} style={cssBoxOf(block)}>
          <span>{t('calendar.shared', { service: services.get(item.serviceId)?.name ?? '' })}</span>
        </div>
      ))}
      {column.held.map(({ item, block }) => (
        <div key={item.id} className={styles.busy} style={cssBoxOf(block)}>
          <span>{t('calendar.held')}</span>
        </div>
      ))}
      {column.cards.map((card) => (
        <Card
          key={card.item.id}
          card={card}
          clock={column.clock}
          locale={locale}
          service={services.get(card.item.serviceId)}
          tone={colorOf(card.item.serviceId)}
          perMinute={perMinute}
          provider={column.provider.name}
          moving={moving === card.item.id}
          conflict={conflicts.has(card.item.id)}
          step={today && changes && stepOf(card, perMinute) !== undefined}
          t={t}
          onOpen={onOpen}
        />
      ))}
      {today &&
        changes &&
        column.cards.map((card) => (
          <NextStep key={card.item.id} card={card} perMinute={perMinute} label={t} onMark={onMark} />
        ))}
      {column.groups.map((group) => (
        <GroupCard
          key={group.item[0]?.id}
          group={group}
          clock={column.clock}
          locale={locale}
          service={services.get(group.item[0]?.serviceId ?? '')}
          tone={colorOf(group.item[0]?.serviceId)}
          conflicts={conflicts}
          onOpen={onOpen}
          {...(changes && { onAdd })}
        />
      ))}
      {today && <NowIndicator />}
    </section>
  )
})

interface CardProps {
  readonly card: PositionedBlock<ColumnReservation>
  readonly clock: Clock
  readonly locale: string
  readonly service: ColumnService | undefined
  readonly tone: string | undefined
  readonly perMinute: number
  readonly provider: string
  readonly moving: boolean
  /** Whether the reservation is in conflict: a change made it break scheduling rules. */
  readonly conflict: boolean
  /** Whether a button that marks the attendance (`NextStep`) covers the end of the card's first line. */
  readonly step: boolean
  readonly t: TFunction<'words'>
  readonly onOpen: (reservation: ColumnReservation) => void
}

// Hundreds of cards may be mounted, so a card is cheap to render: it calls no hooks, and its column passes the
// translation function `t`.
function Card({
  card: { item, block, track, trackCount },
  clock,
  locale,
  service,
  tone,
  perMinute,
  provider,
  moving,
  conflict,
  step,
  t,
  onOpen,
}: CardProps) {
  const customer = item.customer || t('reservations.removed')
  // Both times come from the clock, not from the position and height of the card: the card may continue from the
  // previous date, and the UTC offset may change during the appointment.
  const time = briefTimeOfDay(clock.minuteOf(item.start), locale)
  const end = timeOfDay(clock.minuteOf(item.end), locale)
  const status = t(`reservations.statuses.${item.status}`)
  const name = service?.name ?? t('reservations.removed')
  const tall = block.height * perMinute >= 30
  const width = 100 / trackCount
  return (
    <button
      type="button"
      className={styles.card}
      data-card={item.id}
      data-status={item.status}
      data-attendance={item.attendance}
      data-short={!tall || undefined}
      data-moving={moving || undefined}
      data-conflict={conflict || undefined}
      data-step={step || undefined}
      title={`${time}–${end} ${customer}, ${name}`}
      style={{
        ...cssBoxOf(block),
        insetInlineStart: `calc(${track * width}% + 2px)`,
        width: `calc(${width}% - 4px)`,
        ...(tone && item.status !== 'cancelled' && { '--tone': tone }),
      }}
      onClick={() => onOpen(item)}
    >
      <span>
        {conflict && <IconAlertTriangle size={12} aria-hidden />}
        {item.status === 'pending' && <IconHourglass size={12} aria-hidden />}
        {item.attendance !== 'expected' && <AttendanceIcon state={item.attendance} />}
        {item.noted && <IconNote size={12} aria-hidden />}
        <span className="tabular">{time}</span> <b>{customer}</b>
        {!tall && <span className={styles.quiet}> · {name}</span>}
      </span>{' '}
      {tall && <span className={styles.quiet}>{name}</span>}
      <span className={styles.unseen}>
        {conflict && `${t('conflicts.one')} · `}
        {t('calendar.cardRest', { end, provider, status })}
        {item.attendance !== 'expected' && ` · ${t(`attendance.states.${item.attendance}`)}`}
      </span>
      <i data-handle className={styles.handle} />
    </button>
  )
}

interface NextStepProps {
  readonly card: PositionedBlock<ColumnReservation>
  readonly perMinute: number
  readonly label: TFunction<'words'>
  readonly onMark: (reservation: ColumnReservation, state: AttendanceState) => void
}

// The minimum height, in pixels, of a card that has room for a button of 24 pixels beside the customer's name.
const lowestWithStep = 24

/**
 * Returns the state of attendance that the button on a reservation's card marks, such as `arrived`; undefined if the
 * card has no room for the button, or if the reservation is not confirmed or has no next state.
 */
function stepOf(
  { item, block, trackCount }: PositionedBlock<ColumnReservation>,
  perMinute: number,
): MarkedState | undefined {
  const hasRoom = block.height * perMinute >= lowestWithStep && trackCount <= 2
  return hasRoom && item.status === 'confirmed' ? nextAttendance(item.attendance) : undefined
}

/** The button on a confirmed reservation of today that marks the usual next state of attendance. */
function NextStep({ card, perMinute, label: t, onMark }: NextStepProps) {
  const { item, block, track, trackCount } = card
  const next = stepOf(card, perMinute)
  if (!next) return null
  const text = t(`attendance.mark.${next}`)
  return (
    <button
      type="button"
      className={styles.step}
      title={text}
      aria-label={`${text}: ${item.customer}`}
      style={{
        top: cssTopOf(block.top),
        insetInlineEnd: `calc(${((trackCount - track - 1) * 100) / trackCount}% + 4px)`,
      }}
      onClick={() => onMark(item, next)}
    >
      <AttendanceIcon state={next} />
    </button>
  )
}
