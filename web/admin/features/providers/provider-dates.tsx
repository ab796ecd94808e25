import { ActionIcon, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconCalendarOff, IconChevronLeft, IconChevronRight, IconPlus, IconTrash } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desk } from '../../../../src/access/users/role-groups.ts'
import { toast } from '../../components/dialogs/toast.tsx'
import { ErrorAlert } from '../../components/fields/write-form.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { ErrorState } from '../../components/states.tsx'
import { useFormats, useLocale } from '../../data/dates/formats.ts'
import { dateFormat } from '../../data/dates/intl.ts'
import { useToday } from '../../data/dates/now.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useHasRole, useSession } from '../../data/session.ts'
import { providerRoutes, useCheckedWrite } from './checked-write.tsx'
import { DateDialog, type DateDialogTarget, timeOffRoutes } from './hours/date-dialog.tsx'
import {
  type DateMark,
  datesOf,
  entriesOf,
  entriesOn,
  type Mark,
  markOf,
  marksOf,
  timesOf,
} from './hours/date-marks.ts'
import styles from './hours/year-grid.module.css'
import { YearGrid } from './hours/year-grid.tsx'

type Provider = Item<'GET /providers/one/'>

/** Lists and edits the exceptions from a provider's weekly hours in one year: other hours, closed days, time off. */
export function ProviderDates({ provider }: { readonly provider: Provider }) {
  const { t } = useTranslation()
  const { timezone } = provider
  const replans = useHasRole(desk)
  const today = useToday(timezone)
  const [year, setYear] = useState(Number(today.slice(0, 4)))
  const [opened, setOpened] = useState<DateDialogTarget>()
  const [from, until] = [Date.UTC(year, 0, 0) / 1000, Date.UTC(year + 1, 0, 2) / 1000]
  const timeOff = useRead('GET /time-off/', { providerId: provider.id, from, until })
  const entries = useMemo(() => entriesOf(provider, timeOff.data?.items ?? [], year), [provider, timeOff.data, year])
  const marks = useMemo(() => marksOf(entries, provider, year), [entries, provider, year])
  const open = useCallback(
    (date: string): void => {
      const entry = entriesOn(entries, timezone, date).at(-1)
      setOpened(entry ? { entry } : { date })
    },
    [entries, timezone],
  )
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Group gap={4}>
          <ActionIcon aria-label={t('providers.yearBefore')} onClick={() => setYear(year - 1)}>
            <IconChevronLeft size={18} />
          </ActionIcon>
          <Title order={3} size="h2" className="tabular" aria-live="polite">
            {year}
          </Title>
          <ActionIcon aria-label={t('providers.yearAfter')} onClick={() => setYear(year + 1)}>
            <IconChevronRight size={18} />
          </ActionIcon>
        </Group>
        <Group gap="xs">
          {replans && (
            <Button
              component={PanelLink}
              to="/calendar/absence"
              search={{ providerId: String(provider.id) }}
              leftSection={<IconCalendarOff size={16} />}
              variant="default"
            >
              {t('calendar.planAbsence')}
            </Button>
          )}
          <Button leftSection={<IconPlus size={16} />} variant="default" onClick={() => setOpened({ date: today })}>
            {t('providers.addDates')}
          </Button>
        </Group>
      </Group>
      <Text size="sm" c="dimmed">
        {t('providers.datesText', { zone: timezone })}
      </Text>
      {timeOff.error && !timeOff.data ? (
        <ErrorState error={timeOff.error} retry={() => timeOff.refetch()} />
      ) : (
        <>
          <EntryList provider={provider} entries={entries} open={(entry) => setOpened({ entry })} />
          <Legend />
          <div aria-busy={timeOff.isPlaceholderData || !timeOff.data}>
            <YearGrid year={year} marks={marks} today={today} onOpen={open} />
          </div>
        </>
      )}
      {opened && <DateDialog provider={provider} opened={opened} close={() => setOpened(undefined)} />}
    </Stack>
  )
}

const legend: readonly Mark[] = ['hours', 'closed', 'timeOff', 'holiday', 'slot']

function Legend() {
  const { t } = useTranslation()
  return (
    <Group gap="md">
      {legend.map((mark) => (
        <Group key={mark} gap={6}>
          <span className={styles.sample} data-mark={mark} aria-hidden>
            1
          </span>
          <Text size="xs">{t(`providers.marks.${mark}`)}</Text>
        </Group>
      ))}
    </Group>
  )
}

interface EntryListProps {
  readonly provider: Provider
  readonly entries: readonly DateMark[]
  readonly open: (entry: DateMark) => void
}

function EntryList({ provider, entries, open }: EntryListProps) {
  const { t } = useTranslation()
  const { remove, problem, question } = useRemove(provider)
  const text = useEntryText(provider.timezone)
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('providers.noDates')}
      </Text>
    )
  return (
    <>
      <ErrorAlert error={problem} />
      <Paper component="section" aria-label={t('providers.datesOfYear')} p="xs" mah={220} className="scrolls">
        <Stack component="ul" gap={0} p={0} m={0}>
          {entries.map((entry) => {
            const { title, says } = text(entry)
            return (
              <Group component="li" key={keyOf(entry)} justify="space-between" wrap="nowrap" gap="xs">
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-sm"
                  h="auto"
                  fw={400}
                  onClick={() => open(entry)}
                  styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
                >
                  <span className="breakable">
                    <b className="tabular">{title}</b> · {says}
                  </span>
                </Button>
                <ActionIcon
                  size="sm"
                  aria-label={t('providers.removeDates', { dates: title })}
                  onClick={() => remove(entry)}
                >
                  <IconTrash size={16} stroke={1.5} />
                </ActionIcon>
              </Group>
            )
          })}
        </Stack>
      </Paper>
      {question}
    </>
  )
}

function keyOf(entry: DateMark): string {
  return entry.kind === 'timeOff' ? entry.timeOff.id : `${entry.at} ${entry.override.from}`
}

/**
 * Returns three values: `remove`, which removes an override (other hours on particular dates) or time off and offers
 * undo; `problem`, the error of the last removal; and `question`, the dialog that asks for confirmation when
 * reservations would break scheduling rules without the override.
 */
function useRemove(provider: Provider) {
  const { t } = useTranslation()
  const { id, overrides } = provider
  const [problem, setProblem] = useState<unknown>()
  const hours = useWrite('POST /providers/hours/', providerRoutes)
  const removeTimeOff = useWrite('POST /time-off/remove/', timeOffRoutes)
  const addTimeOff = useWrite('POST /time-off/add/', timeOffRoutes)
  const { save, question } = useCheckedWrite(id)
  const taken = async (entry: DateMark): Promise<void> => {
    if (entry.kind === 'timeOff') {
      const { id: timeOffId, start, end, note, providerId } = entry.timeOff
      await removeTimeOff.mutateAsync({ body: { id: timeOffId } })
      toast(t('calendar.timeOffGone'), () =>
        addTimeOff.mutateAsync({ body: { providerId, start, end, note, despite: true } }),
      )
      return
    }
    const left = overrides.toSpliced(entry.at, 1)
    await save({
      check: { overrides: left },
      write: () => hours.mutateAsync({ body: { id, overrides: left, was: { overrides } } }),
      undo: () => hours.mutateAsync({ body: { id, overrides, was: { overrides: left } } }),
      done: t('providers.datesRemoved'),
    })
  }
  const remove = (entry: DateMark): void => {
    setProblem(undefined)
    void taken(entry).then(undefined, setProblem)
  }
  return { remove, problem, question }
}

/**
 * Returns a function that describes an override (other hours on particular dates) or time off: its dates and its
 * effect.
 */
function useEntryText(zone: string) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { money } = useFormats()
  const siteCurrency = useSession()?.site.currency ?? ''
  const amount = (price: number, currency = siteCurrency): string => money(price, currency)
  return (entry: DateMark): { readonly title: string; readonly says: string } => {
    const { from, to } = datesOf(entry, zone)
    const format = dateFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
    const title = format.formatRange(new Date(from), new Date(to))
    if (entry.kind === 'timeOff') {
      const { note } = entry.timeOff
      const { start, end } = timesOf(entry.timeOff, zone)
      const times = start === '00:00' && end === '24:00' ? [] : [`${start}–${end}`]
      return { title, says: [t('providers.marks.timeOff'), ...times, ...(note ? [note] : [])].join(' · ') }
    }
    const { hours, slot } = entry.override
    const parts = [
      ...(hours === undefined ? [] : hours.length === 0 ? [t('providers.closed')] : [hours.join(', ')]),
      ...(slot ? [slotText(slot, amount, t('providers.marks.slot'))] : []),
    ]
    return { title, says: markOf(entry) === 'slot' ? (parts[0] ?? '') : parts.join(' · ') }
  }
}

type Slot = NonNullable<Provider['overrides'][number]['slot']>

function slotText(slot: Slot, amount: (price: number, currency?: string) => string, name: string): string {
  const { price, currency, location, title, note } = slot
  const said = [
    ...(price === undefined ? [] : [amount(price, currency)]),
    ...[location, title, note].flatMap((text) => text ?? []),
  ]
  return said.length > 0 ? `${name}: ${said.join(', ')}` : name
}
