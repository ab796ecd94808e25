import { Menu } from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { timeText } from '../../../data/dates/clock.ts'
import styles from './calendar.module.css'
import type { CalendarColumn, ColumnBusy, ColumnReservation, ColumnService } from './columns.ts'
import { minuteHeight } from './drag.ts'
import type { Block, Laid } from './layout.ts'
import { NowLine } from './now-line.tsx'

interface DayColumnProps {
  readonly column: CalendarColumn
  /** Its place among all columns, and below how many rows of heads it stands. */
  readonly place: number
  readonly row: number
  /** The first of its provider. */
  readonly first: boolean
  readonly today: boolean
  /** What it is called for those who do not see where it stands. */
  readonly label: string
  readonly services: ReadonlyMap<string, ColumnService>
  /** The reservation that is on its way to the service. */
  readonly moving: string | undefined
  readonly onOpen: (reservation: ColumnReservation) => void
  readonly onBusy: (busy: ColumnBusy) => void
}

/** One day of one provider: opening hours, what is in the way, and the reservations. */
export const DayColumn = memo(function DayColumn(props: DayColumnProps) {
  const { column, place, row, first, today, label, services, moving, onOpen, onBusy } = props
  const { t } = useTranslation()
  return (
    <section
      className={styles.column}
      data-column={place}
      data-first={first || undefined}
      aria-label={label}
      style={{ gridColumn: place + 2, gridRow: row }}
    >
      {column.open.map((block) => (
        <div key={block.top} className={styles.open} style={boxOf(block)} />
      ))}
      {column.busy.map(({ item, block }) =>
        item.source === 'time_off' ? (
          <button type="button" key={item.id} className={styles.busy} style={boxOf(block)} onClick={() => onBusy(item)}>
            <span>{item.note || t('calendar.timeOff')}</span>
          </button>
        ) : (
          <div key={item.id} className={styles.busy} style={boxOf(block)}>
            <span>{t('calendar.inCalendar')}</span>
          </div>
        ),
      )}
      {column.shared.map(({ item, block }) => (
        <div key={item.id} className={styles.busy} style={boxOf(block)}>
          <span>{t('calendar.shared', { service: services.get(item.serviceId)?.name ?? '' })}</span>
        </div>
      ))}
      {column.cards.map((card) => (
        <Card
          key={card.item.id}
          card={card}
          service={services.get(card.item.serviceId)}
          provider={column.provider.name}
          moving={moving === card.item.id}
          t={t}
          onOpen={onOpen}
        />
      ))}
      {column.groups.map((group) => (
        <GroupCard
          key={group.item[0]?.id}
          group={group}
          service={services.get(group.item[0]?.serviceId ?? '')}
          onOpen={onOpen}
        />
      ))}
      {today && <NowLine />}
    </section>
  )
})

interface CardProps {
  readonly card: Laid<ColumnReservation>
  readonly service: ColumnService | undefined
  readonly provider: string
  readonly moving: boolean
  readonly t: TFunction<'words'>
  readonly onOpen: (reservation: ColumnReservation) => void
}

// There are hundreds: nothing in one that makes drawing it slow.
function Card({ card: { item, block, slotSource, slotSources }, service, provider, moving, t, onOpen }: CardProps) {
  const customer = item.customer || t('reservations.removed')
  const time = timeText(block.top)
  const end = timeText((block.top + (item.end - item.start) / 60) % 1_440)
  const status = t(`reservations.statuses.${item.status}`)
  const name = service?.name ?? t('reservations.removed')
  const tall = block.height * minuteHeight >= 30
  const width = 100 / slotSources
  return (
    <button
      type="button"
      className={styles.card}
      data-card={item.id}
      data-status={item.status}
      data-short={!tall || undefined}
      data-moving={moving || undefined}
      title={`${time}–${end} ${customer}, ${name}`}
      style={{
        ...boxOf(block),
        insetInlineStart: `calc(${slotSource * width}% + 2px)`,
        width: `calc(${width}% - 4px)`,
        ...(service?.color && item.status !== 'cancelled' && { '--tone': service.color }),
      }}
      onClick={() => onOpen(item)}
    >
      <span>
        {item.status === 'pending' && <IconHourglass size={12} aria-hidden />}
        <span className="tabular">{time}</span> <b>{customer}</b>
        {!tall && <span className={styles.quiet}> · {name}</span>}
      </span>{' '}
      {tall && <span className={styles.quiet}>{name}</span>}
      <span className={styles.unseen}>{t('calendar.cardRest', { end, provider, status })}</span>
      <i data-handle className={styles.handle} />
    </button>
  )
}

interface GroupCardProps {
  readonly group: Laid<readonly ColumnReservation[]>
  readonly service: ColumnService | undefined
  readonly onOpen: (reservation: ColumnReservation) => void
}

/** Many reservations of one slot: how many, and each by name when it is opened. */
function GroupCard({ group: { item, block, slotSource, slotSources }, service, onOpen }: GroupCardProps) {
  const { t } = useTranslation()
  const width = 100 / slotSources
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <button
          type="button"
          className={styles.card}
          style={{
            ...boxOf(block),
            insetInlineStart: `calc(${slotSource * width}% + 2px)`,
            width: `calc(${width}% - 4px)`,
            ...(service?.color && { '--tone': service.color }),
          }}
        >
          <span>
            <span className="tabular">{timeText(block.top)}</span> <b>{service?.name ?? t('reservations.removed')}</b>
          </span>{' '}
          <span className={styles.quiet}>{t('calendar.reserved', { count: item.length })}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown className={styles.names ?? ''}>
        {item.map((reservation) => (
          <Menu.Item key={reservation.id} onClick={() => onOpen(reservation)}>
            <span className="breakable">{reservation.customer || t('reservations.removed')}</span>
            {reservation.status !== 'confirmed' && (
              <span className={styles.quiet}> · {t(`reservations.statuses.${reservation.status}`)}</span>
            )}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function boxOf({ top, height }: Block) {
  return { top: top * minuteHeight, height: height * minuteHeight - 1 }
}
