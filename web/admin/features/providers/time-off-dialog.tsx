import { Button, Checkbox, Group, List, MultiSelect, SimpleGrid, TextInput } from '@mantine/core'
import { IconCalendarOff, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { desk } from '../../../../src/access/users/role-groups.ts'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast, toastError } from '../../components/dialogs/toast.tsx'
import { WarningAlert } from '../../components/dialogs/warning-alert.tsx'
import { DateField, DateTimeField } from '../../components/fields/date-field.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { changedFields } from '../../data/changed-fields.ts'
import { clockOf } from '../../data/dates/clock.ts'
import { addDays, lastDayAfter } from '../../data/dates/dates.ts'
import { useZonedFormats } from '../../data/dates/zoned-formats.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import { isNotFound } from '../../data/refusal.ts'
import type { Item } from '../../data/request.ts'
import { useHasRole, useUser } from '../../data/session.ts'

type TimeOff = Item<'GET /time-off/'>['items'][number]

interface TimeOffDialogProps {
  readonly providerId: number | undefined
  readonly start: number
  readonly end: number
  /**
   * The IANA time zone in which times are displayed and typed. Whole days are those of the zone of the providers, or of
   * this one while the zones of the chosen providers differ.
   */
  readonly zone: string
  /** The time off to edit; absent when time off is added. */
  readonly edited?: TimeOff
  readonly close: () => void
}

interface Values {
  readonly providerIds: string[]
  readonly allDay: boolean
  readonly from: string | null
  readonly to: string | null
  readonly start: string
  readonly end: string
  readonly note: string
  readonly despite: boolean
}

const shown = [
  'GET /calendar/',
  'GET /calendar/free/',
  'GET /calendar/verdict/',
  'GET /time-off/',
  'GET /why/',
  'GET /conflicts/',
] as const
const few = 5

/** The dialog that adds time off of one or several providers, or edits or removes one time off. */
export function TimeOffDialog({ providerId, start, end, zone, edited, close }: TimeOffDialogProps) {
  const { t } = useTranslation()
  const clock = clockOf(zone)
  const { providerId: own } = useUser()
  const mayBeSeveral = useHasRole(desk) && edited === undefined
  const { data } = useRead('GET /reservations/filters/', {})
  const add = useWrite('POST /time-off/add/', shown)
  const edit = useWrite('POST /time-off/edit/', shown)
  const addToAll = useWrite('POST /time-off/add-to-all/', shown)
  const remove = useWrite('POST /time-off/remove/', shown)
  // One that another user has removed in the meantime does not prevent the others from being removed.
  const removeAll = async (ids: readonly string[]): Promise<void> => {
    const failures: unknown[] = []
    const fail = (error: unknown): void => {
      if (!isNotFound(error)) failures.push(error)
    }
    for (const id of ids) await remove.mutateAsync({ body: { id } }).then(undefined, fail)
    if (failures.length > 0) throw failures[0]
  }
  const zonesOf = (ids: readonly string[]) => [
    ...new Set(ids.map((id) => data?.providers.find((one) => String(one.id) === id)?.zone)),
  ]
  const dayClockOf = (ids: readonly string[]) => {
    const [shared = zone, ...others] = zonesOf(ids)
    return clockOf(others.length === 0 ? shared : zone)
  }
  const providerIds = [providerId ?? own].flatMap((id) => (id === null ? [] : [String(id)]))
  // The time of a new time off was chosen in the calendar, whose days are those of `zone`.
  const opening = edited ? dayClockOf(providerIds) : clock
  const form = useWriteForm<Values>({
    initialValues: {
      providerIds,
      // Time off from midnight to midnight, such as a vacation, is entered as dates.
      allDay: opening.minuteOf(start) === 0 && opening.minuteOf(end) === 0,
      from: opening.dateOf(start),
      to: opening.dateOf(end - 1),
      start: clock.text(start),
      end: clock.text(end),
      note: edited?.note ?? '',
      despite: false,
    },
    validate: (values) => ({
      ...(values.providerIds.length === 0 && { providerIds: t('calendar.providerMissing') }),
      ...(values.allDay
        ? {
            ...(!values.from && { from: t('policies.dateMissing') }),
            ...(!values.to && { to: t('policies.dateMissing') }),
            ...(values.from && values.to && values.to < values.from && { to: t('policies.datesSwapped') }),
          }
        : {
            ...(clock.parse(values.start) === undefined && { start: t('calendar.timeMissing') }),
            ...(clock.parse(values.end) === undefined && { end: t('calendar.timeMissing') }),
          }),
    }),
    fieldOf: (name): string => {
      if (name === 'providerId') return 'providerIds'
      return name === 'end' && form.fields.getValues().allDay ? 'to' : name
    },
    write: async ({ note, despite, ...values }) => {
      const interval = intervalOf(values)
      const [first = 0, ...others] = values.providerIds.map(Number)
      if (others.length > 0) {
        const all = [first, ...others]
        const { ids } = await addToAll.mutateAsync({ body: { providerIds: all, ...interval, note, despite } })
        toast(t('calendar.timeOffKeptAll', { count: ids.length }), () => removeAll(ids))
      } else {
        if (edited) {
          const before = { start: edited.start, end: edited.end, note: edited.note }
          const changed = changedFields(before, { ...interval, note })
          await edit.mutateAsync({ body: { id: edited.id, ...changed, despite } })
        } else await add.mutateAsync({ body: { providerId: first, ...interval, note, despite } })
        toast(t('calendar.timeOffKept'))
      }
      close()
    },
  })
  const { values, getInputProps, setFieldValue } = form.fields
  // Returns the entered interval in Unix seconds. A missing time counts as 0; when a date is missing, both ends are 0.
  function intervalOf({ allDay, from, to, providerIds: ids, ...typed }: Omit<Values, 'note' | 'despite'>) {
    if (!allDay) return { start: clock.parse(typed.start) ?? 0, end: clock.parse(typed.end) ?? 0 }
    const { at } = dayClockOf(ids)
    return from && to ? { start: at(from, 0), end: at(addDays(to, 1), 0) } : { start: 0, end: 0 }
  }
  const interval = intervalOf(values)
  const onlyProviderId = values.providerIds.length === 1 ? Number(values.providerIds[0]) : undefined
  const days = dayClockOf(values.providerIds)
  const day = {
    from: days.at(values.from ?? days.dateOf(start), 0),
    until: days.at(values.to ?? days.dateOf(end), 1_440),
  }
  const asksHours =
    values.allDay &&
    values.providerIds.length > 0 &&
    values.providerIds.length <= maxProviders &&
    day.until > day.from &&
    day.until - day.from <= maxPeriod
  const hours = useRead('GET /calendar/', { ...day, providers: values.providerIds.map(Number) }, { enabled: asksHours })
  const inZone = zonesOf(values.providerIds).every((one) => one === zone) ? '' : ` (${days.zone})`
  const setAllDay = (allDay: boolean): void => {
    setFieldValue('allDay', allDay)
    if (allDay) return
    const open = hours.data?.providers.find(({ id }) => id === onlyProviderId)?.open ?? []
    setFieldValue('start', clock.text(open[0]?.start ?? day.from + 9 * 3_600))
    setFieldValue('end', clock.text(open.at(-1)?.end ?? day.until - 7 * 3_600))
  }
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t(edited ? 'calendar.editTimeOff' : 'calendar.addTimeOff')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Form
        form={form}
        submitText={t('common.save')}
        beside={
          <>
            {edited && <Remove edited={edited} close={close} />}
            <CancelButton onClick={close} />
          </>
        }
      >
        <MultiSelect
          label={t(mayBeSeveral ? 'calendar.providers' : 'reservations.provider')}
          data={(data?.providers ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          searchable
          limit={100}
          maxValues={mayBeSeveral ? 100 : 1}
          disabled={edited !== undefined}
          data-autofocus={values.providerIds.length === 0 || undefined}
          {...getInputProps('providerIds')}
        />
        <Checkbox
          label={t('calendar.allDay')}
          checked={values.allDay}
          data-autofocus={values.providerIds.length > 0 || undefined}
          onChange={(event) => setAllDay(event.currentTarget.checked)}
        />
        {values.allDay ? (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <DateField
              label={`${t('calendar.firstDay')}${inZone}`}
              zone={days.zone}
              {...getInputProps('from')}
              onChange={(date) => {
                setFieldValue('from', date)
                if (date !== null) setFieldValue('to', lastDayAfter(date, values))
              }}
            />
            <DateField label={`${t('calendar.lastDay')}${inZone}`} zone={days.zone} {...getInputProps('to')} />
          </SimpleGrid>
        ) : (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <DateTimeField label={`${t('calendar.start')} (${zone})`} zone={zone} {...getInputProps('start')} />
            <DateTimeField label={`${t('calendar.end')} (${zone})`} zone={zone} {...getInputProps('end')} />
          </SimpleGrid>
        )}
        <TextInput
          label={t('calendar.note')}
          description={t('calendar.noteText')}
          maxLength={500}
          {...getInputProps('note')}
        />
        {values.providerIds.length > 0 && (
          <AffectedReservations providerIds={values.providerIds.map(Number)} {...interval} zone={zone}>
            <Checkbox label={t('calendar.despite')} {...getInputProps('despite', { type: 'checkbox' })} />
            {mayBeSeveral && values.providerIds.length === 1 && (
              <Button
                component={PanelLink}
                to="/calendar/absence"
                search={{
                  providerId: String(values.providerIds[0]),
                  from: days.dateOf(interval.start),
                  to: days.dateOf(interval.end - 1),
                }}
                takesOver
                leftSection={<IconCalendarOff size={16} />}
                variant="default"
                size="compact-sm"
                mt="sm"
                h="auto"
                py={4}
                styles={{ label: { whiteSpace: 'normal' } }}
              >
                {t('calendar.findPlaces')}
              </Button>
            )}
          </AffectedReservations>
        )}
      </Form>
    </Modal>
  )
}

interface AffectedReservationsProps {
  readonly providerIds: readonly number[]
  readonly start: number
  readonly end: number
  readonly zone: string
  /** Actions shown when reservations are affected, or when some could not be checked. */
  readonly children: ReactNode
}

// The longest period that the calendar route accepts, in seconds, and the greatest number of providers.
const maxPeriod = 46 * 86_400
const maxProviders = 50

/**
 * Warns, before time off is saved, of the reservations that overlap its first 46 days: shows their number, the first
 * five and the actions. When no such reservation is known, renders only the actions if some reservations were not
 * checked (the time off exceeds 46 days or is for more than 50 providers), and nothing otherwise.
 */
function AffectedReservations({ providerIds, start, end, zone, children }: AffectedReservationsProps) {
  const { t } = useTranslation()
  const formats = useZonedFormats(zone)
  const asks = end > start
  const until = Math.min(end, start + maxPeriod)
  const { data, isPlaceholderData } = useRead(
    'GET /calendar/',
    { from: start, until, providers: [...providerIds] },
    { enabled: asks && providerIds.length <= maxProviders },
  )
  const others = asks && (until < end || providerIds.length > maxProviders) ? <div>{children}</div> : null
  if (!asks || !data || isPlaceholderData) return others
  const names = new Map(data.services.map(({ id, name }) => [id, name]))
  // A reservation of several of these providers is listed for one of them, and as shared for the others.
  const rows = [
    ...data.shared.map((one) => ({ ...one, who: '' })),
    ...data.reservations.map(({ customer, ...one }) => ({ ...one, who: customer || t('reservations.removed') })),
  ]
  const affected = [...new Map(rows.map((one) => [one.id, one])).values()].sort((one, other) => one.start - other.start)
  if (affected.length === 0) return others
  return (
    <WarningAlert title={t('calendar.inTheWay', { count: affected.length })}>
      <List size="sm" mb="sm">
        {affected.slice(0, few).map((one) => (
          <List.Item key={one.id} className="breakable">
            {[formats.dateTime(one.start), one.who, names.get(one.serviceId)].filter(Boolean).join(' · ')}
          </List.Item>
        ))}
        {affected.length > few && <List.Item>{t('calendar.andMore', { count: affected.length - few })}</List.Item>}
      </List>
      {children}
    </WarningAlert>
  )
}

function Remove({ edited, close }: { readonly edited: TimeOff; readonly close: () => void }) {
  const { t } = useTranslation()
  const remove = useWrite('POST /time-off/remove/', shown)
  const add = useWrite('POST /time-off/add/', shown)
  const { id, providerId, start, end, note } = edited
  const again = () => add.mutateAsync({ body: { providerId, start, end, note, despite: true } })
  const go = (): void =>
    void remove.mutateAsync({ body: { id } }).then(() => {
      toast(t('calendar.timeOffGone'), again)
      close()
    }, toastError)
  return (
    <Group flex={1}>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} />}
        loading={remove.isPending}
        onClick={go}
      >
        {t('common.remove')}
      </Button>
    </Group>
  )
}
