import { ActionIcon, Button, Group, MultiSelect, SegmentedControl } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../components/fields/date-field.tsx'
import { useRead } from '../../data/queries.ts'
import { CalendarOptions } from './calendar-options.tsx'
import { adjacentDate, type CalendarView, type ViewName, viewNames } from './calendar-view.ts'
import styles from './grid/calendar.module.css'

interface CalendarToolbarProps {
  readonly view: CalendarView
  /** Whether the user's role may select the calendars of other providers. */
  readonly choosable: boolean
}

const maxProviders = 50

/** The toolbar that selects the view, the date and the providers of the calendar. */
export function CalendarToolbar({ view, choosable }: CalendarToolbarProps) {
  const { t } = useTranslation()
  const { data } = useRead('GET /reservations/filters/', {})
  const { name, date, today, change } = view
  const known = new Set(data?.providers.map(({ id }) => id))
  return (
    <div className={styles.toolbar}>
      <SegmentedControl
        aria-label={t('calendar.view')}
        size="sm"
        value={name}
        onChange={(next: ViewName) => change({ view: next })}
        data={viewNames.map((value) => ({ value, label: t(`calendar.views.${value}`) }))}
      />
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          size={36}
          aria-label={t(`calendar.before.${name}`)}
          onClick={() => change({ date: adjacentDate(name, date, -1) })}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
        <Button variant="default" disabled={date === today} onClick={() => change({ date: '' })}>
          {t('calendar.today')}
        </Button>
        <ActionIcon
          size={36}
          aria-label={t(`calendar.after.${name}`)}
          onClick={() => change({ date: adjacentDate(name, date, 1) })}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
      </Group>
      <DateField
        aria-label={t('calendar.date')}
        w={150}
        missingYear="nearest"
        value={date}
        onChange={(next) => next && change({ date: next })}
      />
      {choosable && (
        <MultiSelect
          aria-label={t('calendar.providers')}
          placeholder={view.providers.length === 0 ? t('calendar.allProviders') : ''}
          size="sm"
          flex="1 1 10rem"
          maw={560}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('calendar.allProviders') }}
          maxValues={maxProviders}
          limit={100}
          data={data?.providers.map(({ id, name: label }) => ({ value: String(id), label })) ?? []}
          value={view.providers.filter((id) => known.has(id)).map(String)}
          onChange={(ids) => change({ providers: ids.join(',') })}
        />
      )}
      <CalendarOptions view={view} />
    </div>
  )
}
