import { IconChecks, IconDoorEnter, IconPlayerPlay, IconUserX } from '@tabler/icons-react'
import type { MarkedState } from '../../../../../src/reservations/attendance/attendance.ts'

const icons = {
  arrived: IconDoorEnter,
  in_service: IconPlayerPlay,
  completed: IconChecks,
  no_show: IconUserX,
} as const

/** The icon of a state of attendance, for use beside the name of the state. */
export function AttendanceIcon({ state }: { readonly state: MarkedState }) {
  const Icon = icons[state]
  return <Icon size={12} aria-hidden />
}
