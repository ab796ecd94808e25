import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Attendance, type AttendanceState, expectedAttendance, markedAttendance } from './attendance.ts'

function after(...states: readonly AttendanceState[]): Attendance {
  return states.reduce<Attendance>(
    (known, to, index) => markedAttendance(known, to, 100 * (index + 1)),
    expectedAttendance,
  )
}

describe('attendance', () => {
  test('each state of a visit has its time', () =>
    assert.deepEqual(after('arrived', 'in_service', 'completed'), {
      state: 'completed',
      times: { arrived: 100, in_service: 200, completed: 300 },
    }))

  test('going back one state keeps the earlier times and removes the later one', () =>
    assert.deepEqual(after('arrived', 'in_service', 'arrived'), { state: 'arrived', times: { arrived: 100 } }))

  test('a mistaken no-show of a customer who had arrived is taken back with the time of arrival', () =>
    assert.deepEqual(after('arrived', 'no_show', 'arrived'), { state: 'arrived', times: { arrived: 100 } }))

  test('a reservation that is expected again has no times', () =>
    assert.deepEqual(after('arrived', 'completed', 'expected'), expectedAttendance))

  test('the same state again keeps its time', () =>
    assert.deepEqual(after('arrived', 'arrived'), { state: 'arrived', times: { arrived: 100 } }))

  test('a visit may skip states', () =>
    assert.deepEqual(after('completed'), { state: 'completed', times: { completed: 100 } }))
})
