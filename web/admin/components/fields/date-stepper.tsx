import { ActionIcon, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { addDays } from '../../data/dates/dates.ts'
import { DateField } from './date-field.tsx'

interface DateStepperProps {
  readonly label: string
  /** The selected date, `YYYY-MM-DD`; empty until it has loaded. */
  readonly value: string
  readonly onChange: (date: string) => void
  /** The IANA time zone of the date; undefined until it has loaded. */
  readonly zone: string | undefined
}

/** A date field with buttons for the previous and the next day. */
export function DateStepper({ label, value, onChange, zone }: DateStepperProps) {
  const { t } = useTranslation()
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      <ActionIcon
        size={36}
        aria-label={t('day.before')}
        disabled={value === ''}
        onClick={() => onChange(addDays(value, -1))}
      >
        <IconChevronLeft size={18} />
      </ActionIcon>
      <DateField
        label={label}
        w={150}
        missingYear="nearest"
        zone={zone}
        value={value}
        onChange={(date) => date && onChange(date)}
      />
      <ActionIcon
        size={36}
        aria-label={t('day.after')}
        disabled={value === ''}
        onClick={() => onChange(addDays(value, 1))}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
    </Group>
  )
}
