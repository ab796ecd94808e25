import { Menu } from '@mantine/core'
import { IconAlertTriangle, IconHourglass, IconNote, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Clock } from '../../../data/dates/clock.ts'
import { briefTimeOfDay } from '../../../data/dates/intl.ts'
import { AttendanceIcon } from './attendance-icon.tsx'
import styles from './calendar.module.css'
import type { ColumnReservation, ColumnService } from './columns.ts'
import type { PositionedBlock } from './layout.ts'
import { cssBoxOf } from './scale.ts'

interface GroupCardProps {
  readonly group: PositionedBlock<readonly ColumnReservation[]>
  readonly clock: Clock
  readonly locale: string
  readonly service: ColumnService | undefined
  readonly tone: string | undefined
  readonly conflicts: ReadonlySet<string>
  readonly onOpen: (reservation: ColumnReservation) => void
  /** Called to book another place in the slot of these reservations; absent for roles that may not book. */
  readonly onAdd?: (reservation: ColumnReservation) => void
}

/**
 * One card for two or more reservations of the same slot: shows their number and the names of the customers, and opens
 * a menu of the reservations.
 */
export function GroupCard({ group, clock, locale, service, tone, conflicts, onOpen, onAdd }: GroupCardProps) {
  const { t } = useTranslation()
  const { item, block, track, trackCount } = group
  const [first] = item
  const width = 100 / trackCount
  const capacity = service?.capacity ?? 1
  // The number of reservations can exceed the service's capacity: after double bookings, or on a date that has its own
  // capacity.
  const seats =
    item.length <= capacity ? (
      <>
        <span aria-hidden>{`${item.length}/${capacity}`}</span>
        <span className={styles.unseen}>{t('calendarView.seats', { count: item.length, capacity })}</span>
      </>
    ) : (
      t('calendar.reserved', { count: item.length })
    )
  const conflict = item.some(({ id }) => conflicts.has(id))
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <button
          type="button"
          className={styles.card}
          data-group
          data-conflict={conflict || undefined}
          style={{
            ...cssBoxOf(block),
            insetInlineStart: `calc(${track * width}% + 2px)`,
            width: `calc(${width}% - 4px)`,
            ...(tone && { '--tone': tone }),
          }}
        >
          <span>
            {conflict && <IconAlertTriangle size={12} aria-hidden />}
            {item.some(({ status }) => status === 'pending') && <IconHourglass size={12} aria-hidden />}
            <span className="tabular">{first && briefTimeOfDay(clock.minuteOf(first.start), locale)}</span>{' '}
            <span className="tabular">{seats}</span> <b>{service?.name ?? t('reservations.removed')}</b>
          </span>{' '}
          <span className={styles.quiet}>
            {item.map(({ customer }) => customer || t('reservations.removed')).join(', ')}
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown className={styles.names ?? ''}>
        {item.map((reservation) => (
          <Menu.Item key={reservation.id} onClick={() => onOpen(reservation)}>
            {conflicts.has(reservation.id) && (
              <IconAlertTriangle size={12} role="img" aria-label={t('conflicts.one')} />
            )}
            {reservation.attendance !== 'expected' && <AttendanceIcon state={reservation.attendance} />}
            {reservation.noted && <IconNote size={12} aria-hidden />}{' '}
            <span className="breakable">{reservation.customer || t('reservations.removed')}</span>
            {reservation.status !== 'confirmed' && (
              <span className={styles.quiet}> · {t(`reservations.statuses.${reservation.status}`)}</span>
            )}
            {reservation.attendance !== 'expected' && (
              <span className={styles.quiet}> · {t(`attendance.states.${reservation.attendance}`)}</span>
            )}
          </Menu.Item>
        ))}
        {onAdd && first && item.length < capacity && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => onAdd(first)}>
              {t('calendarView.addSeat')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
