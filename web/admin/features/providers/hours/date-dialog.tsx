import { Button, Group, Input, SegmentedControl, Text, TextInput, useMatches } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { weekdays } from '../../../../../src/catalogue/providers/provider.ts'
import { Modal } from '../../../components/dialogs/modal.tsx'
import { DateField } from '../../../components/fields/date-field.tsx'
import { CancelButton, Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { changedFields } from '../../../data/changed-fields.ts'
import { clockOf } from '../../../data/dates/clock.ts'
import { lastDayAfter } from '../../../data/dates/dates.ts'
import { parseTime } from '../../../data/dates/parse-date.ts'
import { useWrite } from '../../../data/queries.ts'
import type { Item } from '../../../data/request.ts'
import { useSession, useUser } from '../../../data/session.ts'
import { providerRoutes, useCheckedWrite } from '../checked-write.tsx'
import { windowErrorText } from '../provider-week.tsx'
import { type DateMark, type DateMarkOverride, datesOf, markOf, timesOf } from './date-marks.ts'
import { SlotFields } from './slot-fields.tsx'
import { type SlotValues, slotOf, slotValuesOf, validateSlot } from './slot-values.ts'
import { minutesOf, validateWindows, type WindowValues, windowTexts, windowValuesOf } from './week-values.ts'
import { WindowFields } from './window-fields.tsx'

type Provider = Item<'GET /providers/one/'>

/**
 * What the dialog edits: an existing entry (time off, or an override of the weekly hours on particular dates), or a
 * date for which a new entry is added.
 */
export type DateDialogTarget = { readonly entry: DateMark } | { readonly date: string }

interface DateDialogProps {
  readonly provider: Provider
  readonly opened: DateDialogTarget
  readonly close: () => void
}

type Kind = 'hours' | 'closed' | 'slot' | 'timeOff'

interface DateValues {
  readonly kind: Kind
  readonly from: string | null
  readonly to: string | null
  readonly hours: readonly WindowValues[]
  readonly slot: SlotValues
  /** For time off: the start time on the first date, and the end time on the last date, `HH:MM`. */
  readonly start: string
  readonly end: string
  readonly note: string
}

/**
 * The dialog that adds or edits an exception from a provider's weekly hours: other hours, a closed day, other slot
 * properties (such as the price), or time off.
 */
export function DateDialog({ provider, opened, close }: DateDialogProps) {
  const { t } = useTranslation()
  // Users with the role `provider` edit their own hours, but no slot properties such as the price.
  const mayProperties = useUser().role !== 'provider'
  const siteCurrency = useSession()?.site.currency ?? ''
  const orientation = useMatches<'vertical' | 'horizontal'>({ base: 'vertical', sm: 'horizontal' })
  const { saveEntry, question } = useSaveEntry(provider, opened, siteCurrency, close)
  const initialValues = dateValuesOf(provider, opened, siteCurrency)
  const [more, setMore] = useState(slotOf(initialValues.slot, siteCurrency) !== undefined)
  const form = useWriteForm<DateValues>({
    initialValues,
    validate: (values) => ({
      ...validateDates(values, siteCurrency, t),
      ...validateSlot(values.slot, t),
      ...(indexOfOpened(provider, opened) === -1 && { kind: t('providers.datesChanged') }),
    }),
    write: saveEntry,
    fieldOf: (name) => name.replace(/^overrides\[\d+\]\.(?=slot\.)/, ''),
  })
  const { fields } = form
  const { kind, hours, slot } = fields.values
  const isNew = 'date' in opened
  const hourKinds: readonly Kind[] = mayProperties ? ['hours', 'closed', 'slot'] : ['hours', 'closed']
  const kinds = isNew
    ? ([...hourKinds, 'timeOff'] as const)
    : hourKinds.includes(initialValues.kind)
      ? hourKinds
      : [initialValues.kind]
  return (
    <Modal opened onClose={close} title={t(isNew ? 'providers.addDates' : 'providers.editDates')} size="lg">
      <Form form={form} submitText={t('common.save')} beside={<CancelButton onClick={close} />}>
        {kinds.length > 1 && (
          <SegmentedControl
            aria-label={t('providers.kind')}
            fullWidth
            orientation={orientation}
            data={kinds.map((value) => ({ value, label: t(`providers.marks.${value}`) }))}
            {...fields.getInputProps('kind')}
          />
        )}
        <Text size="sm" c="dimmed">
          {t(`providers.kindHelp.${kind}`)}
        </Text>
        <Group grow preventGrowOverflow={false} align="flex-start">
          <DateField
            label={t('providers.first')}
            miw={140}
            zone={provider.timezone}
            {...fields.getInputProps('from')}
            onChange={(date) => {
              fields.setFieldValue('from', date)
              if (date) fields.setFieldValue('to', lastDayAfter(date, fields.values))
            }}
          />
          <DateField label={t('providers.last')} miw={140} zone={provider.timezone} {...fields.getInputProps('to')} />
        </Group>
        {kind === 'hours' && (
          <WindowFields
            label={t('providers.marks.hours')}
            autofocus
            windows={hours}
            onChange={(windows) => {
              fields.clearErrors()
              fields.setFieldValue('hours', windows)
            }}
            errorOf={(at) => windowErrorText(fields.errors[`hours.${at}`], t)}
          />
        )}
        {kind === 'hours' && mayProperties && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={more}
            onClick={() => setMore(!more)}
            h="auto"
            py={2}
            lh={1.5}
            style={{ alignSelf: 'flex-start' }}
            styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
          >
            {t('providers.slotMore')}
          </Button>
        )}
        {mayProperties && (kind === 'slot' || (kind === 'hours' && more)) && (
          <>
            <Text size="sm" c="dimmed">
              {t('providers.ownText')}
            </Text>
            <SlotFields
              values={slot}
              siteCurrency={siteCurrency}
              fieldOf={(name) => fields.getInputProps(`slot.${name}`)}
            />
            {fields.errors.slot && <Input.Error role="alert">{fields.errors.slot}</Input.Error>}
          </>
        )}
        {kind === 'timeOff' && (
          <>
            <Group grow align="flex-start">
              <TextInput
                label={t('providers.startTime')}
                autoComplete="off"
                data-autofocus
                {...fields.getInputProps('start')}
              />
              <TextInput label={t('providers.endTime')} autoComplete="off" {...fields.getInputProps('end')} />
            </Group>
            <TextInput
              label={t('providers.note')}
              description={t('providers.noteHelp')}
              maxLength={500}
              autoComplete="off"
              {...fields.getInputProps('note')}
            />
          </>
        )}
        <Text size="xs" c="dimmed">
          {t('providers.zone', { zone: provider.timezone })}
        </Text>
      </Form>
      {question}
    </Modal>
  )
}

function dateValuesOf({ timezone, weekly }: Provider, opened: DateDialogTarget, siteCurrency: string): DateValues {
  const dates = datesOfOpened(opened, timezone)
  const weekday = weekdays[(new Date(dates.from).getUTCDay() + 6) % 7] ?? 'mon'
  const usual = weekly[weekday] ?? ['09:00-17:00']
  const none = {
    hours: usual.map(windowValuesOf),
    slot: slotValuesOf(undefined, siteCurrency),
    ...{ start: '00:00', end: '24:00', note: '' },
  }
  if ('date' in opened) return { kind: 'hours', ...dates, ...none }
  const { entry } = opened
  if (entry.kind === 'timeOff') {
    const { note } = entry.timeOff
    return { kind: 'timeOff', ...dates, ...none, hours: [], ...timesOf(entry.timeOff, timezone), note }
  }
  const { hours, slot } = entry.override
  const mark = markOf(entry)
  const kind = mark === 'closed' || mark === 'slot' ? mark : 'hours'
  const shown = hours && hours.length > 0 ? hours.map(windowValuesOf) : none.hours
  return { kind, ...dates, ...none, hours: shown, slot: slotValuesOf(slot, siteCurrency) }
}

/**
 * Returns the index of the opened override among those that are stored at present, since another user may have removed
 * one before it; -1 if the override was changed or removed, undefined for time off and a new entry.
 */
function indexOfOpened({ overrides }: Provider, opened: DateDialogTarget): number | undefined {
  if (!('entry' in opened) || opened.entry.kind !== 'override') return undefined
  const before = JSON.stringify(opened.entry.override)
  return overrides.findLastIndex((override) => JSON.stringify(override) === before)
}

function datesOfOpened(opened: DateDialogTarget, zone: string): { readonly from: string; readonly to: string } {
  return 'date' in opened ? { from: opened.date, to: opened.date } : datesOf(opened.entry, zone)
}

function validateDates(values: DateValues, siteCurrency: string, t: TFunction<'words'>) {
  const { kind, from, to, hours, slot, start, end } = values
  const [first, last] = [parseTime(start), parseTime(end)]
  return {
    ...(from === null && { from: t('providers.noDate') }),
    ...(to === null && { to: t('providers.noDate') }),
    ...(from !== null && to !== null && to < from && { to: t('providers.lastBefore') }),
    ...(kind === 'hours' && hours.length === 0 && { kind: t('providers.noHours') }),
    ...(kind === 'hours' && validateWindows('hours', hours)),
    ...(kind === 'slot' && !slotOf(slot, siteCurrency) && { slot: t('providers.noProperties') }),
    ...(kind === 'timeOff' && first === undefined && { start: t('providers.noTime') }),
    ...(kind === 'timeOff' && last === undefined && { end: t('providers.noTime') }),
    ...(kind === 'timeOff' && from === to && first && last && last <= first && { end: t('providers.endsBefore') }),
  }
}

/** The routes to refetch after a change of time off. */
export const timeOffRoutes = ['GET /time-off/', 'GET /why/', 'GET /calendar/'] as const

/**
 * Returns the function `saveEntry` and its confirmation dialog, `question`. `saveEntry` saves the values of the form:
 * it replaces the entry (override of hours, or time off) that the dialog edits, or adds a new one.
 */
function useSaveEntry(provider: Provider, opened: DateDialogTarget, siteCurrency: string, close: () => void) {
  const { t } = useTranslation()
  const { id, overrides, timezone } = provider
  const hours = useWrite('POST /providers/hours/', providerRoutes)
  const add = useWrite('POST /time-off/add/', timeOffRoutes)
  const edit = useWrite('POST /time-off/edit/', timeOffRoutes)
  const remove = useWrite('POST /time-off/remove/', timeOffRoutes)
  const { save, question } = useCheckedWrite(id, close)
  const entry = 'entry' in opened ? opened.entry : undefined

  const saveTimeOff = (values: DateValues, from: string, to: string): Promise<boolean> => {
    const done = t('calendar.timeOffKept')
    const clock = clockOf(timezone)
    const start = clock.at(from, minutesOf(values.start))
    const end = clock.at(to, minutesOf(values.end))
    const after = { start, end, note: values.note }
    if (entry?.kind === 'timeOff') {
      const { id: timeOffId, ...timeOff } = entry.timeOff
      const before = { start: timeOff.start, end: timeOff.end, note: timeOff.note }
      const change = (fields: Partial<typeof after>) =>
        edit.mutateAsync({ body: { id: timeOffId, ...fields, despite: true } })
      return save({
        check: { away: { start, end } },
        write: () => change(changedFields(before, after)),
        undo: () => change(changedFields(after, before)),
        done,
      })
    }
    let made = ''
    return save({
      check: { away: { start, end } },
      write: async () => {
        made = (await add.mutateAsync({ body: { providerId: id, ...after, despite: true } })).id
      },
      undo: () => remove.mutateAsync({ body: { id: made } }),
      done,
    })
  }

  const saveOverride = (values: DateValues, from: string, to: string): Promise<boolean> => {
    const slot = slotOf(values.slot, siteCurrency)
    const kept: DateMarkOverride = {
      ...{ from, to },
      ...(values.kind === 'hours' && { hours: windowTexts(values.hours) }),
      ...(values.kind === 'closed' && { hours: [] }),
      ...(slot && { slot }),
    }
    // Of several overrides of hours for one date, the last in the list takes precedence, so a new override is appended.
    const at = indexOfOpened(provider, opened)
    const after = at === undefined ? [...overrides, kept] : overrides.with(at, kept)
    return save({
      check: { overrides: after },
      // The list is sent as a whole, so it must be the one from which the user started: another user may have added a
      // date in the meantime.
      write: () => hours.mutateAsync({ body: { id, overrides: after, was: { overrides } } }),
      undo: () => hours.mutateAsync({ body: { id, overrides, was: { overrides: after } } }),
      done: t('providers.datesSaved'),
    })
  }

  const saveEntry = async (values: DateValues): Promise<boolean> => {
    const { from, to } = values
    if (from === null || to === null) return false
    return values.kind === 'timeOff' ? saveTimeOff(values, from, to) : saveOverride(values, from, to)
  }
  return { saveEntry, question }
}
