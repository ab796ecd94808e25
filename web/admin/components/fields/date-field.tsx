import '@mantine/dates/styles.css'
import { ActionIcon, CloseButton, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clockOf } from '../../data/dates/clock.ts'
import { useLocale, useZone } from '../../data/dates/formats.ts'
import { type DateReading, readDate, readTime, splitDateTime, typedDateText } from '../../data/dates/typed-date.ts'

interface FieldProps
  extends Omit<TextInputProps, 'min' | 'value' | 'defaultValue' | 'onChange' | 'type' | 'rightSection'> {
  /** Which year a date without a year belongs to: the upcoming one, unless the field looks up past dates. */
  readonly missingYear?: DateReading['missingYear']
  /** A date in the decade with whose years the calendar opens while the field is empty; the current month when absent. */
  readonly usualDecade?: string
}

interface DateFieldProps extends FieldProps {
  /** `YYYY-MM-DD`; null or empty when unset. */
  readonly value?: string | null
  /** Called with null while the text is not a valid date, and when the text is empty. */
  readonly onChange?: (date: string | null) => void
  readonly clearable?: boolean
  /** The earliest date that can be chosen, `YYYY-MM-DD`. */
  readonly min?: string
}

/** A date in the user's locale, typed or picked from a calendar. Invalid text is reported beside the field. */
export function DateField({ value, onChange, min, ...rest }: DateFieldProps) {
  const { t } = useTranslation()
  const { reading, locale } = useReading(rest.missingYear)
  return (
    <PickedField
      {...rest}
      value={value || null}
      onChange={(date) => onChange?.(date)}
      min={min}
      show={(date) => typedDateText(date, locale)}
      read={(text) => {
        const read = readDate(text, reading)
        return read && (min === undefined || read.date >= min)
          ? { value: read.date, complete: read.complete }
          : undefined
      }}
      fault={(text) => {
        const example = typedDateText(exampleDate(reading.today), locale)
        return min !== undefined && readDate(text, reading)
          ? t('dates.tooEarly', { date: typedDateText(min, locale) })
          : t('dates.unreadable', { example })
      }}
      dateOf={(date) => date}
      withDate={(date) => date}
    />
  )
}

interface DateTimeFieldProps extends FieldProps {
  /** `YYYY-MM-DDTHH:mm`; empty when unset. */
  readonly value?: string
  /** Called with an empty string while the text is not a valid date and time. */
  readonly onChange?: (dateTime: string) => void
}

/** A date and a time in one field, in the user's locale. */
export function DateTimeField({ value, onChange, ...rest }: DateTimeFieldProps) {
  const { t } = useTranslation()
  const { reading, locale } = useReading(rest.missingYear)
  const show = (dateTime: string): string => {
    const [date = '', time = ''] = dateTime.split('T')
    return `${typedDateText(date, locale)}, ${timeOfDay(time, locale)}`
  }
  return (
    <PickedField
      {...rest}
      clearable={false}
      value={value || null}
      onChange={(dateTime) => onChange?.(dateTime ?? '')}
      show={show}
      read={(text) => {
        const [typedDate, typedTime] = splitDateTime(text) ?? []
        const date = typedDate === undefined ? undefined : readDate(typedDate, reading)
        const time = typedTime === undefined ? undefined : readTime(typedTime)
        if (!date || time === undefined || time === '24:00') return undefined
        return { value: `${date.date}T${time}`, complete: date.complete && /\d[:.]\d\d$/.test(text.trim()) }
      }}
      fault={() => t('dates.unreadableTime', { example: show(`${exampleDate(reading.today)}T14:30`) })}
      dateOf={(dateTime) => dateTime.slice(0, 10)}
      withDate={(date) => `${date}T${value ? value.slice(11, 16) : '09:00'}`}
    />
  )
}

interface PickedFieldProps extends FieldProps {
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly clearable?: boolean | undefined
  readonly min?: string | undefined
  readonly show: (value: string) => string
  readonly read: (text: string) => { readonly value: string; readonly complete: boolean } | undefined
  /** Returns the error message for a text that cannot be parsed. */
  readonly fault: (text: string) => string
  readonly dateOf: (value: string) => string
  /** Returns the value for a date picked from the calendar. */
  readonly withDate: (date: string) => string
}

function PickedField(props: PickedFieldProps) {
  const {
    value,
    onChange,
    clearable = false,
    min,
    show,
    read,
    fault,
    dateOf,
    withDate,
    missingYear: _,
    usualDecade,
    ...rest
  } = props
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  // The typed text until it is parsed; undefined afterwards, when the field shows the value.
  const [text, setText] = useState<string>()
  const [left, setLeft] = useState(false)
  const [seen, setSeen] = useState(value)
  const [lastValue, setLastValue] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // When the value was changed outside of this field, it replaces the typed text.
    if (value !== lastValue) setText(undefined)
  }
  const tell = (next: string | null): void => {
    setLastValue(next)
    if (next !== value) onChange(next)
  }
  const type = (typed: string): void => {
    setText(typed)
    setLeft(false)
    // While a date is typed, the calendar stays closed: it would cover the fields below, which a keyboard user fills next.
    setOpened(false)
    const found = read(typed)
    // Only a complete date is reported, since an incomplete one would be parsed as another date: 5.1 on the way to
    // 5.12.
    if (found?.complete) tell(found.value)
    else if (typed.trim() === '') tell(null)
  }
  const settle = (): void => {
    if (text === undefined) return
    const found = read(text)
    tell(found?.value ?? null)
    if (found || text.trim() === '') setText(undefined)
    else setLeft(true)
  }
  const choose = (next: string | null): void => {
    setText(undefined)
    setOpened(false)
    tell(next)
  }
  const unreadable = text !== undefined && text.trim() !== '' && read(text) === undefined
  const date = value === null ? null : dateOf(value)
  const dayName = new Intl.DateTimeFormat(useLocale(), { dateStyle: 'long', timeZone: 'UTC' })
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus={false} withRoles={false}>
      <Popover.Target>
        <TextInput
          autoComplete="off"
          {...rest}
          error={unreadable && left ? fault(text) : rest.error}
          data-unreadable={unreadable || undefined}
          // Escape closes an open calendar, not the dialog around the field.
          data-mantine-stop-propagation={opened}
          value={text ?? (value === null ? '' : show(value))}
          onChange={(event) => type(event.currentTarget.value)}
          onClick={() => setOpened(true)}
          // What is typed replaces the date, also in a field that has the focus from the start.
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={(event) => {
            if (event.key === 'Enter') settle()
            if (event.key === 'ArrowDown') setOpened(true)
            if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'Tab') setOpened(false)
          }}
          onBlur={(event) => {
            rest.onBlur?.(event)
            setOpened(false)
            settle()
          }}
          rightSection={
            clearable && value !== null ? (
              <CloseButton size="sm" aria-label={t('dates.clear')} onClick={() => choose(null)} />
            ) : (
              <ActionIcon
                variant="transparent"
                c="dimmed"
                tabIndex={-1}
                aria-label={t('dates.open')}
                disabled={rest.disabled === true}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => setOpened(!opened)}
              >
                <IconCalendar size={16} stroke={1.5} />
              </ActionIcon>
            )
          }
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('dates.calendar')} onMouseDown={(event) => event.preventDefault()}>
        <DatePicker
          hideOutsideDates
          value={date}
          {...(date !== null && { defaultDate: date })}
          {...(date === null && usualDecade && { defaultDate: usualDecade, defaultLevel: 'decade' })}
          {...(min !== undefined && { minDate: min })}
          onChange={(chosen) => chosen !== null && choose(withDate(chosen))}
          getDayAriaLabel={(day) => dayName.format(Date.parse(`${day.slice(0, 10)}T00:00:00Z`))}
          ariaLabels={{
            nextMonth: t('dates.next'),
            previousMonth: t('dates.previous'),
            nextYear: t('dates.next'),
            previousYear: t('dates.previous'),
            nextDecade: t('dates.next'),
            previousDecade: t('dates.previous'),
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function useReading(missingYear: DateReading['missingYear'] = 'upcoming') {
  const locale = useLocale()
  const today = clockOf(useZone()).dateOf(Date.now() / 1000)
  return { locale, reading: { locale, today, missingYear } }
}

// Returns the date of an example: a day after the 12th shows the order of day and month.
function exampleDate(today: string): string {
  return `${today.slice(0, 4)}-12-24`
}

function timeOfDay(time: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(
    Date.parse(`1970-01-01T${time}Z`),
  )
}
