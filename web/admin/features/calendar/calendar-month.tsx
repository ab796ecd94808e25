import { Text, VisuallyHidden } from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../../components/panel-link.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useLocale } from '../../data/dates/formats.ts'
import { useRead } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useSession } from '../../data/session.ts'
import { type CalendarView, shownDates } from './calendar-view.ts'
import styles from './grid/calendar.module.css'

type Day = Item<'GET /today/'>['days'][number]

/** A month with its surrounding weeks, and the utilisation of each day. */
export function CalendarMonth({ view, today }: { readonly view: CalendarView; readonly today: string }) {
  const { t } = useTranslation()
  const locale = useLocale()
  const zone = useSession()?.site.timezone ?? ''
  const { date, providers } = view
  const dates = useMemo(() => shownDates('month', date), [date])
  const read = useRead('GET /today/', {
    from: dates[0] ?? date,
    to: dates.at(-1) ?? date,
    ...(providers.length > 0 && { providers: [...providers] }),
  })
  const formats = useMemo(() => formatsOf(locale), [locale])
  if (read.error && !read.data) return <ErrorState error={read.error} retry={() => void read.refetch()} />
  if (!read.data) return <LoadingState lines={8} />
  const days = new Map(read.data.days.map((day) => [day.date, day]))
  const search = { ...(providers.length > 0 && { providers: providers.join(',') }) }
  return (
    <section aria-label={formats.month(date)} aria-busy={read.isPlaceholderData}>
      <Text size="xs" c="dimmed" mb={4}>
        {t('calendar.monthOf', { zone })}
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
            outside={one.slice(0, 7) !== date.slice(0, 7)}
            today={one === today}
          />
        ))}
      </div>
    </section>
  )
}

interface DayCellProps {
  readonly date: string
  readonly search: { readonly date: string; readonly providers?: string }
  readonly name: string
  readonly day: Day | undefined
  readonly outside: boolean
  readonly today: boolean
}

function DayCell({ date, search, name, day, outside, today }: DayCellProps) {
  const { t } = useTranslation()
  const { pending = 0, confirmed = 0, reserved = 0, open = 0 } = day ?? {}
  const count = pending + confirmed
  const share = open === 0 ? 0 : Math.min(1, reserved / open)
  return (
    <PanelLink
      to="/calendar"
      search={search}
      className={[styles.day, outside && styles.outside, today && styles.today].filter(Boolean).join(' ')}
    >
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
      {open > 0 && (
        <div className={styles.bar}>
          <span style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </PanelLink>
  )
}

// A date has no zone, so it is parsed and formatted in UTC.
function formatsOf(locale: string) {
  const make = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    return (date: string): string => format.format(Date.parse(`${date}T00:00:00Z`))
  }
  return {
    month: make({ month: 'long', year: 'numeric' }),
    weekday: make({ weekday: 'short' }),
    long: make({ dateStyle: 'full' }),
  }
}
