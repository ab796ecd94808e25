import { ActionIcon, Alert, Button, Group, Text } from '@mantine/core'
import { IconCalendarOff, IconCalendarPlus } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { staff } from '../../../../src/access/users/role-groups.ts'
import { useCommands } from '../../app/shell/command-palette.tsx'
import { toastError } from '../../components/dialogs/toast.tsx'
import { Screen } from '../../components/screen.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { clockOf } from '../../data/dates/clock.ts'
import { addDays } from '../../data/dates/dates.ts'
import { useFormats, useLocale, useZone } from '../../data/dates/formats.ts'
import { dateFormat } from '../../data/dates/intl.ts'
import { useToday } from '../../data/dates/now.ts'
import { useRead } from '../../data/queries.ts'
import { useQueryParameters } from '../../data/query-parameters.ts'
import { useHasRole, useUser } from '../../data/session.ts'
import { TimeOffDialog } from '../providers/time-off-dialog.tsx'
import { MoveRefused } from '../reservations/move/move-dialog.tsx'
import { useMove, withMoveTarget } from '../reservations/move/use-move.ts'
import { RefusedStatusChanges } from '../reservations/refused-status-changes.tsx'
import { ReservationDrawer } from '../reservations/reservation-drawer.tsx'
import { useStatusChange } from '../reservations/status-change.ts'
import { useAttendance } from '../reservations/visit/attendance.tsx'
import { BookDialog } from './book-dialog.tsx'
import { CalendarMonth } from './calendar-month.tsx'
import { CalendarPrint } from './calendar-print.tsx'
import { CalendarToolbar } from './calendar-toolbar.tsx'
import { type CalendarView, datesOfView, useCalendarView } from './calendar-view.ts'
import type { CalendarData, ColumnBusy, TimeSpan } from './grid/columns.ts'
import { TimeGrid } from './grid/time-grid.tsx'
import { useCalendarKeys } from './use-calendar-keys.ts'

/**
 * The calendar screen: a day, week or month of one or more providers. Reservations can be moved and resized in the grid
 * of a day or week.
 */
export default function CalendarScreen() {
  const { t } = useTranslation()
  const { role } = useUser()
  const zone = useZone()
  const clock = clockOf(zone)
  const today = useToday(zone)
  const view = useCalendarView(today)
  const period = usePeriod(view)
  useCalendarKeys(view)
  const [opened, setOpened] = useState<OpenedDialog>()
  const close = (): void => setOpened(undefined)
  const [parameters, setParameters] = useQueryParameters()
  // The booking dialog is opened by a query parameter, since the command palette and the key N open it from any page.
  const book = (): void => setParameters({ book: '1' })
  const timeOff = (): void => {
    const day = { start: clock.at(view.date, 0), end: clock.at(addDays(view.date, 1), 0) }
    setOpened({ what: 'time-off', providerId: view.providers[0], ...day })
  }
  const changes = useHasRole(staff)
  const commands = [
    { id: 'calendar.timeOff', label: t('calendar.addTimeOff'), icon: <IconCalendarOff size={18} />, run: timeOff },
  ]
  useCommands(changes ? commands : [])
  return (
    <Screen
      title={t('calendar.title')}
      text={t('calendar.text', { zone, period })}
      compact
      actions={
        changes && (
          <Group gap="xs">
            <Button leftSection={<IconCalendarPlus size={16} />} onClick={book}>
              {t('calendar.book')}
            </Button>
            <Button variant="default" leftSection={<IconCalendarOff size={16} />} onClick={timeOff} visibleFrom="sm">
              {t('calendar.addTimeOff')}
            </Button>
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t('calendar.addTimeOff')}
              title={t('calendar.addTimeOff')}
              onClick={timeOff}
              hiddenFrom="sm"
            >
              <IconCalendarOff size={18} />
            </ActionIcon>
          </Group>
        )
      }
    >
      <CalendarToolbar view={view} choosable={role !== 'provider'} />
      {view.name === 'month' ? <Month view={view} today={today} /> : <Days view={view} open={setOpened} />}
      {opened?.what === 'book' && <BookDialog {...opened} close={close} />}
      {changes && parameters.book === '1' && (
        <RequestedBooking
          providerId={view.providers[0]}
          customerId={parameters.customer ?? ''}
          close={() => setParameters({ book: '', customer: '' })}
        />
      )}
      {opened?.what === 'time-off' && <TimeOffDialog zone={zone} {...opened} close={close} />}
    </Screen>
  )
}

interface RequestedBookingProps {
  readonly providerId: number | undefined
  readonly customerId: string
  readonly close: () => void
}

/** The booking dialog that the address asks for, with the customer of this id selected once the name is loaded. */
function RequestedBooking({ providerId, customerId, close }: RequestedBookingProps) {
  const asks = customerId !== ''
  const { data, error } = useRead('GET /customers/one/', { id: customerId }, { enabled: asks })
  const customer = data?.id === customerId ? data : undefined
  useEffect(() => {
    if (error) toastError(error)
  }, [error])
  if (asks && !customer && !error) return null
  return <BookDialog providerId={providerId} customer={customer} start={undefined} close={close} />
}

type OpenedDialog =
  | {
      readonly what: 'book'
      readonly serviceId?: string
      readonly providerId: number | undefined
      readonly start: number
    }
  | ({ readonly what: 'time-off'; readonly providerId: number | undefined; readonly edited?: ColumnBusy } & TimeSpan)

interface DaysProps {
  readonly view: CalendarView
  readonly open: (opened: OpenedDialog) => void
}

/** The day or week view: the columns of the providers, side by side. */
function Days({ view, open }: DaysProps) {
  const { t } = useTranslation()
  const { role } = useUser()
  const changes = useHasRole(staff)
  const [parameters, setParameters] = useQueryParameters()
  const change = useStatusChange()
  const move = useMove()
  const attendance = useAttendance()
  const clock = clockOf(useZone())
  const { name, date, providers, cancelled, ready } = view
  const dates = useMemo(() => datesOfView(name, date), [name, date])
  const last = dates.at(-1) ?? date
  const [from, until] = [clock.at(dates[0] ?? date, 0), clock.at(addDays(last, 1), 0)]
  const query = {
    from,
    until,
    ...(providers.length > 0 && { providers: [...providers] }),
    ...(cancelled && { cancelled }),
  }
  const read = useRead('GET /calendar/', query, { enabled: ready })
  const conflicts = useRead('GET /conflicts/', {})
  const broken = useMemo(() => new Set(conflicts.data?.items.map(({ id }) => id)), [conflicts.data])
  const shown = useMemo(() => read.data && withMoved(read.data, move.moving), [read.data, move.moving])
  if (read.error && !shown) return <ErrorState error={read.error} retry={() => void read.refetch()} />
  if (!shown) return <LoadingState lines={8} />
  if (shown.providers.length === 0)
    return <EmptyState text={t(role === 'provider' ? 'calendar.emptyProvider' : 'calendar.empty')} />
  return (
    <>
      <RefusedStatusChanges change={change} />
      {shown.cut && <Alert color="yellow">{t('calendar.cut')}</Alert>}
      <Holidays holidays={shown.holidays} dates={dates} />
      <TimeGrid
        calendar={shown}
        changes={changes}
        conflicts={broken}
        dates={dates}
        clock={clock}
        busy={read.isPlaceholderData}
        label={t('calendar.title')}
        moving={move.moving?.id}
        onOpen={({ id }) => setParameters({ open: id })}
        onDrop={(reservation, target) => void move.drop(reservation, target)}
        onPoint={(target) => open({ what: 'book', ...target })}
        onTimeOff={(target) => open({ what: 'time-off', ...target })}
        onAdd={({ serviceId, providerId, start }) => open({ what: 'book', serviceId, providerId, start })}
        onMark={attendance.mark}
        onBusy={(edited) => open({ what: 'time-off', providerId: edited.providerId, ...bounds(edited), edited })}
      />
      <CalendarPrint calendar={shown} dates={dates} clock={clock} />
      {changes && (
        <Text size="xs" c="dimmed" className="off-paper">
          {t('calendar.hint')}
        </Text>
      )}
      {parameters.open && (
        <ReservationDrawer id={parameters.open} change={change} close={() => setParameters({ open: '' })} />
      )}
      {move.refused && (
        <MoveRefused
          refused={move.refused}
          move={move}
          service={shown.services.find(({ id }) => id === move.refused?.reservation.serviceId)?.name ?? ''}
        />
      )}
    </>
  )
}

interface HolidaysProps {
  readonly holidays: CalendarData['holidays']
  readonly dates: readonly string[]
}

/** Names the holidays on the shown dates; renders nothing when there are none. */
function Holidays({ holidays, dates }: HolidaysProps) {
  const { t } = useTranslation()
  const { shortDate } = useFormats()
  const clock = clockOf(useZone())
  const closed = dates.flatMap((date) => {
    const holiday = holidays.find(({ from, to }) => from <= date && date <= to)
    return holiday ? [{ date, name: holiday.name || t('calendar.holiday') }] : []
  })
  if (closed.length === 0) return null
  return (
    <Text size="sm" className="breakable">
      {closed
        .map(({ date, name }) => {
          const text = t('calendar.closedFor', { name })
          return dates.length > 1 ? `${shortDate(clock.at(date, 720))} ${text}` : text
        })
        .join(' · ')}
    </Text>
  )
}

/** The month view, with the drawer of an opened reservation. */
function Month({ view, today }: { readonly view: CalendarView; readonly today: string }) {
  const [parameters, setParameters] = useQueryParameters()
  const change = useStatusChange()
  return (
    <>
      <RefusedStatusChanges change={change} />
      <CalendarMonth view={view} today={today} onOpen={(id) => setParameters({ open: id })} />
      {parameters.open && (
        <ReservationDrawer id={parameters.open} change={change} close={() => setParameters({ open: '' })} />
      )}
    </>
  )
}

/** Returns the displayed period as text, such as `Saturday, 21 November 2026`. */
function usePeriod({ name, date }: CalendarView): string {
  const { longDate } = useFormats()
  const locale = useLocale()
  const clock = clockOf(useZone())
  const noon = (day: string): number => clock.at(day, 720)
  if (name === 'day') return longDate(noon(date))
  if (name === 'month')
    return dateFormat(locale, { month: 'long', year: 'numeric', timeZone: clock.zone }).format(noon(date) * 1000)
  const dates = datesOfView(name, date)
  return dateFormat(locale, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    timeZone: clock.zone,
  }).formatRange(noon(dates[0] ?? date) * 1000, noon(dates.at(-1) ?? date) * 1000)
}

function withMoved(calendar: CalendarData, moving: ReturnType<typeof useMove>['moving']): CalendarData {
  if (!moving) return calendar
  const reservations = calendar.reservations.map((one) => (one.id === moving.id ? withMoveTarget(one, moving) : one))
  return { ...calendar, reservations }
}

function bounds({ start, end }: TimeSpan): TimeSpan {
  return { start, end }
}
