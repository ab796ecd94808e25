import { ActionIcon, Group } from '@mantine/core'
import { DateInput } from '@mantine/dates'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { datePlus } from '../data/dates.ts'

interface DayFieldProps {
  readonly label: string
  /** `YYYY-MM-DD`; empty while it is not known. */
  readonly value: string
  readonly onChange: (date: string) => void
}

/** One day to look at, with the day before and the day after a button away. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  const { t } = useTranslation()
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      <ActionIcon
        size={36}
        aria-label={t('day.before')}
        disabled={value === ''}
        onClick={() => onChange(datePlus(value, -1))}
      >
        <IconChevronLeft size={18} />
      </ActionIcon>
      <DateInput
        label={label}
        size="sm"
        w={130}
        valueFormat="YYYY-MM-DD"
        value={value === '' ? null : value}
        onChange={(date) => date && onChange(date)}
      />
      <ActionIcon
        size={36}
        aria-label={t('day.after')}
        disabled={value === ''}
        onClick={() => onChange(datePlus(value, 1))}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
    </Group>
  )
}
