import { Text } from '@mantine/core'
import { type KeyboardEvent, memo, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { weekdays } from '../../../../../src/catalogue/providers/provider.ts'
import { addDays } from '../../../data/dates/dates.ts'
import { useLocale } from '../../../data/dates/formats.ts'
import { dateFormat } from '../../../data/dates/intl.ts'
import { useWeekdays } from '../../../data/dates/weekdays.ts'
import type { Mark } from './date-marks.ts'
import styles from './year-grid.module.css'

interface YearGridProps {
  readonly year: number
  readonly marks: ReadonlyMap<string, Mark>
  readonly today: string
  readonly onOpen: (date: string) => void
}

/**
 * A calendar of all dates of a year with their marks; arrow keys move between dates. Memoised, because it has
 * hundreds of buttons.
 */
export const YearGrid = memo(function YearGrid({ year, marks, today, onOpen }: YearGridProps) {
  const { t } = useTranslation()
  const locale = useLocale()
  const grid = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(today)
  const reached = current.startsWith(`${year}-`) ? current : `${year}-01-01`
  const go = (event: KeyboardEvent): void => {
    const days = steps[event.key]
    if (days === undefined) return
    const date = addDays(reached, days)
    if (!date.startsWith(`${year}-`)) return
    event.preventDefault()
    setCurrent(date)
    grid.current?.querySelector<HTMLElement>(`[data-date="${date}"]`)?.focus()
  }
  const months = useMemo(() => {
    const format = dateFormat(locale, { month: 'long', timeZone: 'UTC' })
    return Array.from({ length: 12 }, (_, month) => ({
      name: format.format(new Date(Date.UTC(year, month, 1))),
      weeks: weeksOf(year, month),
    }))
  }, [locale, year])
  const long = dateFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const nameOf = (date: string, mark: Mark | undefined): string =>
    [long.format(new Date(date)), ...(mark ? [t(`providers.marks.${mark}`)] : [])].join(', ')
  return (
    <div ref={grid} className={styles.year}>
      {months.map(({ name, weeks }) => (
        <table key={name} className={styles.month}>
          <caption>
            <Text span size="sm" fw={600}>
              {name}
            </Text>
          </caption>
          <WeekdayHeaders />
          <tbody>
            {weeks.map((week) => (
              <tr key={week.find((date) => date !== '')}>
                {week.map((date, at) => (
                  <td key={weekdays[at]}>
                    {date !== '' && (
                      <Day
                        date={date}
                        name={nameOf(date, marks.get(date))}
                        mark={marks.get(date)}
                        isToday={date === today}
                        reached={date === reached}
                        onOpen={onOpen}
                        onKeyDown={go}
                      />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  )
})

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

function WeekdayHeaders() {
  const names = useWeekdays()
  return (
    <thead>
      <tr>
        {weekdays.map((day) => (
          <th key={day} scope="col" abbr={names(day, 'long')}>
            {names(day, 'short').slice(0, 2)}
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface DayProps {
  readonly date: string
  /** The accessible name: the date and its mark in the user's language. */
  readonly name: string
  readonly mark: Mark | undefined
  readonly isToday: boolean
  /** Whether the Tab key reaches the date; arrow keys reach the others. */
  readonly reached: boolean
  readonly onOpen: (date: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function Day({ date, name, mark, isToday, reached, onOpen, onKeyDown }: DayProps) {
  return (
    <button
      type="button"
      className={styles.date}
      data-date={date}
      data-mark={mark}
      aria-current={isToday ? 'date' : undefined}
      aria-label={name}
      tabIndex={reached ? 0 : -1}
      onClick={() => onOpen(date)}
      onKeyDown={onKeyDown}
    >
      {Number(date.slice(8))}
    </button>
  )
}

/** Returns the weeks of a month, from Monday, seven dates each; an empty string stands for a date of another month. */
function weeksOf(year: number, month: number): string[][] {
  const first = new Date(Date.UTC(year, month, 1))
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const before = (first.getUTCDay() + 6) % 7
  const dates = Array.from({ length: Math.ceil((before + days) / 7) * 7 }, (_, at) =>
    at >= before && at < before + days ? addDays(first.toISOString().slice(0, 10), at - before) : '',
  )
  return Array.from({ length: dates.length / 7 }, (_, week) => dates.slice(week * 7, week * 7 + 7))
}
