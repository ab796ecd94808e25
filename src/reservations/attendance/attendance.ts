/** Whether the customer of a reservation came, as marked by staff; stored separately from the reservation's status. */
export type AttendanceState = 'expected' | 'arrived' | 'in_service' | 'completed' | 'no_show'

/** All states of attendance: first the states of a visit in their order, then `no_show`. */
export const attendanceStates = [
  'expected',
  'arrived',
  'in_service',
  'completed',
  'no_show',
] as const satisfies readonly AttendanceState[]

/** A state that staff mark; a reservation without a mark is `expected`. */
export type MarkedState = Exclude<AttendanceState, 'expected'>

/** The attendance of a reservation with the time at which each state was marked, in Unix seconds. */
export interface Attendance {
  readonly state: AttendanceState
  readonly times: Readonly<Partial<Record<MarkedState, number>>>
}

/** Whether a reservation with this status can have this state of attendance: a cancelled one has no visit. */
export function admitsAttendance(status: string, state: AttendanceState): boolean {
  return status !== 'cancelled' || state === 'expected'
}

/** The attendance of a reservation for which nothing was marked. */
export const expectedAttendance: Attendance = { state: 'expected', times: {} }

const visit = ['arrived', 'in_service', 'completed'] as const satisfies readonly MarkedState[]

/**
 * Returns the attendance after a state was marked at `now` (Unix seconds). `arrived`, `in_service` and `completed`
 * retain the times of the marked state and of those before it, and remove the other times; the marked state gets `now`
 * only if it has no time. Marking the previous state again thus undoes a mistaken click. `no_show` retains all times;
 * `expected` removes them.
 */
export function markedAttendance({ state, times }: Attendance, to: AttendanceState, now: number): Attendance {
  if (to === state) return { state, times }
  if (to === 'expected') return expectedAttendance
  if (to === 'no_show') return { state: to, times: { ...times, no_show: now } }
  const kept = visit.slice(0, visit.indexOf(to)).flatMap((one) => {
    const at = times[one]
    return at === undefined ? [] : [[one, at] as const]
  })
  return { state: to, times: { ...Object.fromEntries(kept), [to]: times[to] ?? now } }
}

/**
 * Returns the attendance as one flat object, which responses and events contain: the state and the times of the marks.
 */
export function shownAttendance({ state, times }: Attendance): ShownAttendance {
  return { state, ...times }
}

/** The attendance as `shownAttendance` returns it and the database stores it. */
export type ShownAttendance = Attendance['times'] & Pick<Attendance, 'state'>

/** Converts an attendance as `shownAttendance` returned it to an `Attendance`. */
export function readAttendance({ state, ...times }: ShownAttendance): Attendance {
  return { state, times }
}
