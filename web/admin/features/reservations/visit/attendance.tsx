import { ActionIcon, Badge, Button, Group, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type AttendanceState,
  attendanceStates,
  type MarkedState,
} from '../../../../../src/reservations/attendance/attendance.ts'
import type { ReservationStatus } from '../../../../../src/reservations/reservation.ts'
import { toast, toastError, type Undo } from '../../../components/dialogs/toast.tsx'
import { clockOf } from '../../../data/dates/clock.ts'
import { useFormats } from '../../../data/dates/formats.ts'
import { useWrite } from '../../../data/queries.ts'
import type { Item, ReadRoute } from '../../../data/request.ts'
import { useSession } from '../../../data/session.ts'

/** The fields of a reservation that marking its attendance needs. */
export interface AttendanceReservation {
  readonly id: string
  readonly status: ReservationStatus
  readonly attendance: AttendanceState
}

const marked = attendanceStates.filter((state) => state !== 'expected')

/** The routes whose responses contain the attendance of reservations. */
export const attendanceReads = [
  'GET /reservations/',
  'GET /reservations/one/',
  'GET /calendar/',
  'GET /customers/one/',
  'GET /history/',
] as const

const colors = { expected: 'gray', arrived: 'teal', in_service: 'blue', completed: 'gray', no_show: 'red' } as const

/**
 * Returns a function that stores the attendance of one reservation, and resolves to a function that undoes this;
 * undefined when the reservation had that attendance already. Both refetch the routes `changes`, show no notification
 * and reject on an error.
 */
export function useMarkAttendance(
  changes: readonly ReadRoute[] = attendanceReads,
): (id: string, state: AttendanceState) => Promise<Undo | undefined> {
  const write = useWrite('POST /reservations/attendance/', changes)
  const undo = useWrite('POST /reservations/undo/', changes)
  return async (id, state) => {
    const { change } = await write.mutateAsync({ body: { id, state } })
    return change === null ? undefined : () => undo.mutateAsync({ body: { id, change } })
  }
}

/**
 * Returns the function `mark`, which stores the attendance of a reservation and shows a notification: the success, with
 * an undo button if something changed, or the error.
 */
export function useAttendance(): {
  readonly isPending: boolean
  mark(reservation: AttendanceReservation, state: AttendanceState): void
} {
  const { t } = useTranslation()
  const send = useMarkAttendance()
  const [isPending, setPending] = useState(false)
  return {
    isPending,
    mark({ id }, state) {
      setPending(true)
      send(id, state)
        .then((undo) => toast(t(`attendance.done.${state}`), undo), toastError)
        .finally(() => setPending(false))
    },
  }
}

/** Returns the state of attendance that usually follows the given one; undefined after `completed` and `no_show`. */
export function nextAttendance(state: AttendanceState): MarkedState | undefined {
  if (state === 'expected') return 'arrived'
  if (state === 'arrived') return 'in_service'
  return state === 'in_service' ? 'completed' : undefined
}

/**
 * A toggle button for each state of attendance that staff mark; pressing the current state resets the reservation to
 * `expected`. Renders nothing before the day of the appointment while no attendance is recorded.
 */
export function AttendanceToggles({ reservation }: { readonly reservation: Item<'GET /reservations/one/'> }) {
  const { t } = useTranslation()
  const { time, zone } = useFormats()
  const now = useSession()?.now ?? 0
  const { isPending, mark } = useAttendance()
  const { attendance, attendedAt, start } = reservation
  const clock = clockOf(zone)
  if (attendance === 'expected' && clock.dateOf(start) > clock.dateOf(now)) return null
  return (
    <Group gap={6} role="group" aria-label={t('attendance.title')}>
      {marked.map((state) => {
        const at = attendedAt[state]
        const pressed = attendance === state
        return (
          <Button
            key={state}
            size="compact-sm"
            variant={pressed ? 'filled' : 'default'}
            aria-pressed={pressed}
            disabled={isPending}
            onClick={() => mark(reservation, pressed ? 'expected' : state)}
          >
            {t(`attendance.${pressed || at !== undefined ? 'states' : 'mark'}.${state}`)}
            {at !== undefined && <span className="tabular">&nbsp;{time(at)}</span>}
          </Button>
        )
      })}
    </Group>
  )
}

interface AttendanceStepProps {
  readonly reservation: AttendanceReservation & { readonly customer: { readonly name: string } }
}

/**
 * The state of attendance of a confirmed reservation as a badge, a button that marks the usual next state, and a menu
 * with all states except the current one.
 */
export function AttendanceStep({ reservation }: AttendanceStepProps) {
  const { t } = useTranslation()
  const { isPending, mark } = useAttendance()
  const { attendance, customer } = reservation
  const next = nextAttendance(attendance)
  return (
    <Group gap={6} wrap="nowrap">
      {attendance !== 'expected' && <AttendanceBadge state={attendance} />}
      <Button.Group>
        {next && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isPending}
            aria-label={`${t(`attendance.mark.${next}`)}: ${customer.name}`}
            onClick={() => mark(reservation, next)}
          >
            {t(`attendance.mark.${next}`)}
          </Button>
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              size={26}
              variant="default"
              disabled={isPending}
              aria-label={`${t('attendance.title')}: ${customer.name}`}
            >
              <IconChevronDown size={14} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {attendanceStates
              .filter((state) => state !== attendance)
              .map((state) => (
                <Menu.Item key={state} onClick={() => mark(reservation, state)}>
                  {t(`attendance.mark.${state}`)}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
      </Button.Group>
    </Group>
  )
}

/** A badge with the state of attendance of a reservation. */
function AttendanceBadge({ state }: { readonly state: AttendanceState }) {
  const { t } = useTranslation()
  return <Badge color={colors[state]}>{t(`attendance.states.${state}`)}</Badge>
}
