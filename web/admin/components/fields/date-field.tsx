import '@mantine/dates/styles.css'
import { ActionIcon, CloseButton, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocale, useZone } from '../../data/dates/formats.ts'
import { dateFormat, timeOfDay } from '../../data/dates/intl.ts'
import { useToday } from '../../data/dates/now.ts'
import {
  type DateParsing,
  formatNumericDate,
  parseDate,
  parseTime,
  splitDateTime,
} from '../../data/dates/parse-date.ts'

interface FieldProps
  extends Omit<TextInputProps, 'min' | 'value' | 'defaultValue' | 'onChange' | 'type' | 'rightSection'> {
  /**
   * The year of a date typed without a year: by default `upcoming`, such that the date is today or later; `nearest`,
   * such that it is closest to today; `past`, such that it is today or earlier.
   */
  readonly missingYear?: DateParsing['missingYear']
  /** The IANA time zone that decides what date is today; the zone in which the panel shows times when absent. */
  readonly zone?: string | undefined
  /**
   * A date in the decade whose years the calendar shows first while the field is empty. Without this date, the calendar
   * first shows the current month.
   */
  readonly usualDecade?: string
}

interface DateFieldProps extends FieldProps {
  /** The date as `YYYY-MM-DD`; null or empty when unset. */
  readonly value?: string | null
  /**
   * Called when the date changes; null when the text is empty, or when Enter is pressed or the field is left with text
   * that is not a valid date or is before `min`.
   */
  readonly onChange?: (date: string | null) => void
  readonly clearable?: boolean
  /** The earliest date that the field accepts, `YYYY-MM-DD`. */
  readonly min?: string
}

/** A date in the user's locale, typed or picked from a calendar. Invalid text is reported beside the field. */
export function DateField({ value, onChange, min, missingYear, zone, ...rest }: DateFieldProps) {
  const { t } = useTranslation()
  const { reading, locale } = useDateParsing(missingYear, zone)
  return (
    <PickerField
      {...rest}
      today={reading.today}
      value={value || null}
      onChange={(date) => onChange?.(date)}
      min={min}
      show={(date) => formatNumericDate(date, locale)}
      read={(text) => {
        const read = parseDate(text, reading)
        return read && (min === undefined || read.date >= min)
          ? { value: read.date, complete: read.complete }
          : undefined
      }}
      errorText={(text) => {
        const example = formatNumericDate(exampleDate(reading.today), locale)
        return min !== undefined && parseDate(text, reading)
          ? t('dates.tooEarly', { date: formatNumericDate(min, locale) })
          : t('dates.unreadable', { example })
      }}
      dateOf={(date) => date}
      withDate={(date) => date}
    />
  )
}

interface DateTimeFieldProps extends FieldProps {
  /** The date and time as `YYYY-MM-DDTHH:mm`; empty when unset. */
  readonly value?: string
  /**
   * Called when the date or time changes; empty when the text is empty, or when Enter is pressed or the field is left
   * with text that is not a valid date and time.
   */
  readonly onChange?: (dateTime: string) => void
}

/** A date and a time in one field, in the user's locale. */
export function DateTimeField({ value, onChange, missingYear, zone, ...rest }: DateTimeFieldProps) {
  const { t } = useTranslation()
  const { reading, locale } = useDateParsing(missingYear, zone)
  const show = (dateTime: string): string => {
    const [date = '', time = ''] = dateTime.split('T')
    return `${formatNumericDate(date, locale)}, ${timeOfDay(minuteOf(time), locale)}`
  }
  return (
    <PickerField
      {...rest}
      today={reading.today}
      clearable={false}
      value={value || null}
      onChange={(dateTime) => onChange?.(dateTime ?? '')}
      show={show}
      read={(text) => {
        const [typedDate, typedTime] = splitDateTime(text, reading) ?? []
        const date = typedDate === undefined ? undefined : parseDate(typedDate, reading)
        const time = typedTime === undefined ? undefined : parseTime(typedTime)
        if (!date || time === undefined || time === '24:00') return undefined
        return { value: `${date.date}T${time}`, complete: date.complete && /\d[:.]\d\d$/.test(text.trim()) }
      }}
      errorText={() => t('dates.unreadableTime', { example: show(`${exampleDate(reading.today)}T14:30`) })}
      dateOf={(dateTime) => dateTime.slice(0, 10)}
      withDate={(date) => `${date}T${value ? value.slice(11, 16) : '09:00'}`}
    />
  )
}

interface PickerFieldProps extends Omit<FieldProps, 'missingYear' | 'zone'> {
  /** The current date, `YYYY-MM-DD`. */
  readonly today: string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly clearable?: boolean | undefined
  readonly min?: string | undefined
  readonly show: (value: string) => string
  readonly read: (text: string) => { readonly value: string; readonly complete: boolean } | undefined
  /** Returns the error message shown for a typed text that cannot be parsed or is before `min`. */
  readonly errorText: (text: string) => string
  readonly dateOf: (value: string) => string
  /** Returns the field's value for a date (`YYYY-MM-DD`) picked from the calendar. */
  readonly withDate: (date: string) => string
}

function PickerField(props: PickerFieldProps) {
  const {
    today,
    value,
    onChange,
    clearable = false,
    min,
    show,
    read,
    errorText,
    dateOf,
    withDate,
    usualDecade,
    ...rest
  } = props
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  // The typed text while it is edited or invalid; undefined while the field shows its value instead.
  const [text, setText] = useState<string>()
  const [blurred, setBlurred] = useState(false)
  const [previousValue, setPreviousValue] = useState(value)
  const [lastValue, setLastValue] = useState(value)
  if (value !== previousValue) {
    setPreviousValue(value)
    // A value that was set by the parent component, not by this field, replaces the typed text.
    if (value !== lastValue) setText(undefined)
  }
  const reportValue = (next: string | null): void => {
    setLastValue(next)
    if (next !== value) onChange(next)
  }
  const type = (typed: string): void => {
    setText(typed)
    setBlurred(false)
    // While a date is typed, the calendar stays closed: it would cover the fields below, which a keyboard user fills
    // next.
    setOpened(false)
    const found = read(typed)
    // Before Enter is pressed or the field is left, a typed date is reported only if it has a four-digit year. A
    // shorter text can become another date while the user types on: 5.1 on the way to 5.12.
    if (found?.complete) reportValue(found.value)
    else if (typed.trim() === '') reportValue(null)
  }
  const commitText = (): void => {
    if (text === undefined) return
    const found = read(text)
    reportValue(found?.value ?? null)
    if (found || text.trim() === '') setText(undefined)
    else setBlurred(true)
  }
  const choose = (next: string | null): void => {
    setText(undefined)
    setOpened(false)
    reportValue(next)
  }
  const unreadable = text !== undefined && text.trim() !== '' && read(text) === undefined
  const date = value === null ? null : dateOf(value)
  const dayName = dateFormat(useLocale(), { dateStyle: 'long', timeZone: 'UTC' })
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus={false} withRoles={false}>
      <Popover.Target>
        <TextInput
          autoComplete="off"
          {...rest}
          error={unreadable && blurred ? errorText(text) : rest.error}
          data-unreadable={unreadable || undefined}
          // Escape closes an open calendar, not the dialog around the field.
          data-mantine-stop-propagation={opened}
          value={text ?? (value === null ? '' : show(value))}
          onChange={(event) => type(event.currentTarget.value)}
          // The calendar would cover the error message, which says how to correct the text; its button still opens it.
          onClick={() => setOpened(!(unreadable && blurred))}
          // The text is selected on focus, also by autofocus, so that typing replaces the date.
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commitText()
            if (event.key === 'ArrowDown') setOpened(true)
            if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'Tab') setOpened(false)
          }}
          onBlur={(event) => {
            rest.onBlur?.(event)
            setOpened(false)
            commitText()
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
          defaultDate={date ?? usualDecade ?? today}
          {...(date === null && usualDecade && { defaultLevel: 'decade' })}
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

function useDateParsing(missingYear: DateParsing['missingYear'] = 'upcoming', zone?: string) {
  const locale = useLocale()
  const shownZone = useZone()
  const today = useToday(zone ?? shownZone)
  return { locale, reading: { locale, today, missingYear } }
}

// Returns the date that error messages show as an example: a day above 12 makes the order of day and month clear.
function exampleDate(today: string): string {
  return `${today.slice(0, 4)}-12-24`
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}
