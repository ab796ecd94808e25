import { IconCheck, IconChecks, IconDoorEnter, IconPlayerPlay, IconUserX } from '@tabler/icons-react'
import type { MarkedState } from '../../../../../src/reservations/attendance/attendance.ts'

const icons = {
  expected: IconCheck,
  arrived: IconDoorEnter,
  in_service: IconPlayerPlay,
  completed: IconChecks,
  no_show: IconUserX,
} as const

/** The icon of a state of attendance; its name is said beside it. */
export function AttendanceIcon({ state }: { readonly state: MarkedState | 'expected' }) {
  const Icon = icons[state]
  return <Icon size={12} aria-hidden />
}
