import type { TFunction } from 'i18next'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { Clock } from '../../data/dates/clock.ts'
import { useFormats } from '../../data/dates/formats.ts'
import styles from './calendar-print.module.css'
import type { CalendarData, ColumnReservation } from './grid/columns.ts'

interface CalendarPrintProps {
  readonly calendar: CalendarData
  readonly dates: readonly string[]
  readonly clock: Clock
}

const paper = matchMedia('print')

function subscribe(listener: () => void): () => void {
  paper.addEventListener('change', listener)
  return () => paper.removeEventListener('change', listener)
}

/** The printed form of the calendar: for one day a list per provider, for a week a table of dates per provider. */
export function CalendarPrint(props: CalendarPrintProps) {
  const printing = useSyncExternalStore(subscribe, () => paper.matches)
  // The print layout is rendered only while the browser prints: on the screen its hundreds of hidden rows would slow
  // the calendar down.
  if (!printing) return null
  return (
    <div className={styles.sheet}>{props.dates.length === 1 ? <DayLists {...props} /> : <WeekTable {...props} />}</div>
  )
}

function DayLists({ calendar, dates: [date = ''], clock }: CalendarPrintProps) {
  const { t } = useTranslation()
  const { time } = useFormats()
  const services = new Map(calendar.services.map((one) => [one.id, one.name]))
  return calendar.providers.map(({ id, name }) => {
    const rows = reservationsOf(calendar, { providerId: id, date, clock })
    return (
      <section key={id}>
        <h2>{name}</h2>
        {busyOf(calendar, { providerId: id, date, clock }).map((busy) => (
          <p key={busy.id}>
            {time(Math.max(busy.start, clock.at(date, 0)))}–{time(Math.min(busy.end, clock.at(date, 1_439)))}{' '}
            {busyText(busy, t)}
          </p>
        ))}
        {rows.length === 0 ? (
          <p>{t('calendarView.noReservations')}</p>
        ) : (
          <table>
            <thead>
              <tr>
                <th>{t('calendarView.time')}</th>
                <th>{t('reservations.customer')}</th>
                <th>{t('reservations.service')}</th>
                <th>{t('reservations.status')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((one) => (
                <tr key={one.id} data-cancelled={one.status === 'cancelled' || undefined}>
                  <td>
                    {time(one.start)}–{time(one.end)}
                  </td>
                  <td>{one.customer || t('reservations.removed')}</td>
                  <td>{services.get(one.serviceId) ?? t('reservations.removed')}</td>
                  <td>
                    {one.attendance === 'expected'
                      ? t(`reservations.statuses.${one.status}`)
                      : t(`attendance.states.${one.attendance}`)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    )
  })
}

function WeekTable({ calendar, dates, clock }: CalendarPrintProps) {
  const { t } = useTranslation()
  const { time, shortDate } = useFormats()
  const services = new Map(calendar.services.map((one) => [one.id, one.name]))
  return calendar.providers.map(({ id, name }) => (
    <section key={id}>
      <h2>{name}</h2>
      <table data-week>
        <thead>
          <tr>
            {dates.map((date) => (
              <th key={date}>{shortDate(clock.at(date, 720))}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            {dates.map((date) => (
              <td key={date}>
                {busyOf(calendar, { providerId: id, date, clock }).map((busy) => (
                  <p key={busy.id}>{busyText(busy, t)}</p>
                ))}
                {reservationsOf(calendar, { providerId: id, date, clock }).map((one) => (
                  <p key={one.id} data-cancelled={one.status === 'cancelled' || undefined}>
                    {time(one.start)} <b>{one.customer || t('reservations.removed')}</b>
                    <br />
                    {services.get(one.serviceId) ?? t('reservations.removed')}
                    {one.status === 'pending' && ` · ${t('reservations.statuses.pending')}`}
                  </p>
                ))}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </section>
  ))
}

function busyText({ note, source }: CalendarData['busy'][number], t: TFunction<'words'>): string {
  return note || t(source === 'time_off' ? 'calendar.timeOff' : 'calendar.inCalendar')
}

interface DayOfProvider {
  readonly providerId: number
  readonly date: string
  readonly clock: Clock
}

function reservationsOf(calendar: CalendarData, { providerId, date, clock }: DayOfProvider): ColumnReservation[] {
  return calendar.reservations.filter((one) => one.providerId === providerId && clock.dateOf(one.start) === date)
}

function busyOf(calendar: CalendarData, { providerId, date, clock }: DayOfProvider): CalendarData['busy'] {
  const [start, end] = [clock.at(date, 0), clock.at(date, 1_440)]
  return calendar.busy.filter((one) => one.providerId === providerId && one.start < end && one.end > start)
}
