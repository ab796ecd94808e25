import { Text, VisuallyHidden } from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../../components/panel-link.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { clockOf } from '../../data/dates/clock.ts'
import { addDays } from '../../data/dates/dates.ts'
import { useLocale } from '../../data/dates/formats.ts'
import { briefTimeOfDay, dateFormat } from '../../data/dates/intl.ts'
import { useRead } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useSession } from '../../data/session.ts'
import { useStore } from '../../data/store.ts'
import { type CalendarView, datesOfView } from './calendar-view.ts'
import styles from './grid/calendar.module.css'
import type { ColumnReservation } from './grid/columns.ts'
import { calendarPreferences, colorOfProvider } from './preferences.ts'

type Day = Item<'GET /today/'>['days'][number]

interface CalendarMonthProps {
  readonly view: CalendarView
  readonly today: string
  /** Called with the id of a reservation to open. */
  readonly onOpen: (id: string) => void
}

// The maximum number of reservations listed per day; with more, the month would be higher than the window.
const shownEntries = 4

/**
 * The month view of the calendar, in full weeks. Each day shows its number of reservations, the customers of the first
 * four reservations, and its utilisation.
 */
export function CalendarMonth({ view, today, onOpen }: CalendarMonthProps) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { colour } = useStore(calendarPreferences)
  // The service counts the reservations of a day in the site's time zone, so the listed reservations are grouped by
  // dates of that zone, too.
  const clock = clockOf(useSession()?.site.timezone ?? 'UTC')
  const { date, providers } = view
  const dates = useMemo(() => datesOfView('month', date), [date])
  const [from, to] = [dates[0] ?? date, dates.at(-1) ?? date]
  const chosen = { ...(providers.length > 0 && { providers: [...providers] }) }
  const read = useRead('GET /today/', { from, to, ...chosen })
  const placed = useRead('GET /calendar/', { from: clock.at(from, 0), until: clock.at(addDays(to, 1), 0), ...chosen })
  const formats = useMemo(() => formatsOf(locale), [locale])
  const byDate = useMemo(
    () => Map.groupBy(placed.data?.reservations ?? [], ({ start }) => clock.dateOf(start)),
    [placed.data, clock],
  )
  const services = useMemo(() => new Map(placed.data?.services.map((one) => [one.id, one])), [placed.data])
  if (read.error && !read.data) return <ErrorState error={read.error} retry={() => void read.refetch()} />
  if (placed.error && !placed.data) return <ErrorState error={placed.error} retry={() => void placed.refetch()} />
  if (!read.data || !placed.data) return <LoadingState lines={8} />
  const days = new Map(read.data.days.map((day) => [day.date, day]))
  const search = { ...(providers.length > 0 && { providers: providers.join(',') }) }
  return (
    <section aria-label={formats.month(date)} aria-busy={read.isPlaceholderData || placed.isPlaceholderData} data-wide>
      <Text size="xs" c="dimmed" mb={4}>
        {t('calendarView.monthOf', { zone: clock.zone })}
      </Text>
      <div className={styles.month}>
        {dates.slice(0, 7).map((one) => (
          <div key={one} className={styles.weekday} aria-hidden>
            {formats.weekday(one)}
          </div>
        ))}
        {dates.map((one) => (
          <DayCell
            key={one}
            date={one}
            search={{ ...search, date: one }}
            name={formats.long(one)}
            day={days.get(one)}
            holiday={placed.data?.holidays.find(({ from: first, to: last }) => first <= one && one <= last)}
            entries={(byDate.get(one) ?? []).slice(0, shownEntries).map((reservation) => ({
              reservation,
              time: briefTimeOfDay(clock.minuteOf(reservation.start), locale),
              service: services.get(reservation.serviceId)?.name ?? t('reservations.removed'),
              tone:
                colour === 'provider'
                  ? colorOfProvider(reservation.providerId)
                  : (services.get(reservation.serviceId)?.color ?? undefined),
            }))}
            outside={one.slice(0, 7) !== date.slice(0, 7)}
            today={one === today}
            onOpen={onOpen}
          />
        ))}
      </div>
    </section>
  )
}

interface Entry {
  readonly reservation: ColumnReservation
  readonly time: string
  readonly service: string
  readonly tone: string | undefined
}

interface DayCellProps {
  readonly date: string
  readonly search: { readonly date: string; readonly providers?: string }
  readonly name: string
  readonly day: Day | undefined
  readonly holiday: Item<'GET /calendar/'>['holidays'][number] | undefined
  readonly entries: readonly Entry[]
  readonly outside: boolean
  readonly today: boolean
  readonly onOpen: (id: string) => void
}

function DayCell({ date, search, name, day, holiday, entries, outside, today, onOpen }: DayCellProps) {
  const { t } = useTranslation()
  const { pending = 0, confirmed = 0, reserved = 0, open = 0 } = day ?? {}
  const count = pending + confirmed
  const share = open === 0 ? 0 : Math.min(1, reserved / open)
  return (
    <div className={[styles.day, outside && styles.outside, today && styles.today].filter(Boolean).join(' ')}>
      <PanelLink to="/calendar" search={search} className={styles.date ?? ''}>
        <VisuallyHidden>{name}</VisuallyHidden>
        <b className="tabular" aria-hidden>
          {Number(date.slice(8))}
        </b>
        {count > 0 && (
          <span>
            {count}
            <span className={styles.word}> {t('calendar.reservedWord')}</span>
          </span>
        )}
        {pending > 0 && (
          <span>
            <IconHourglass size={12} aria-hidden /> {pending}
            <VisuallyHidden> {t('reservations.statuses.pending')}</VisuallyHidden>
          </span>
        )}
      </PanelLink>
      {holiday && (
        <div className={styles.holiday}>{t('calendar.closedFor', { name: holiday.name || t('calendar.holiday') })}</div>
      )}
      {entries.length > 0 && (
        <ul className={styles.entries}>
          {entries.map(({ reservation, time, service, tone }) => (
            <li key={reservation.id}>
              <button
                type="button"
                title={`${time} ${reservation.customer}, ${service}`}
                style={tone === undefined ? {} : { '--tone': tone }}
                onClick={() => onOpen(reservation.id)}
              >
                <span className="tabular">{time}</span> {reservation.customer || t('reservations.removed')}
                <VisuallyHidden>, {service}</VisuallyHidden>
              </button>
            </li>
          ))}
          {count > entries.length && (
            <li className={styles.quiet}>{t('calendarView.more', { count: count - entries.length })}</li>
          )}
        </ul>
      )}
      {open > 0 && (
        <div className={styles.bar}>
          <span style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </div>
  )
}

// A date has no zone, so it is parsed and formatted in UTC.
function formatsOf(locale: string) {
  const make = (options: Intl.DateTimeFormatOptions) => {
    const format = dateFormat(locale, { ...options, timeZone: 'UTC' })
    return (date: string): string => format.format(Date.parse(`${date}T00:00:00Z`))
  }
  return {
    month: make({ month: 'long', year: 'numeric' }),
    weekday: make({ weekday: 'short' }),
    long: make({ dateStyle: 'full' }),
  }
}
