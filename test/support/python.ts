import { spawnSync } from 'node:child_process'

/** Returns the path of Debian's Python if the package python3-icalendar is installed; undefined otherwise. */
export function pythonWithCalendar(): string | undefined {
  const program = '/usr/bin/python3'
  return spawnSync(program, ['-c', 'import icalendar']).status === 0 ? program : undefined
}

/**
 * Returns the path of Debian's Python if the package python3-recurring-ical-events is installed; undefined otherwise.
 */
export function pythonWithRecurrence(): string | undefined {
  const program = '/usr/bin/python3'
  return spawnSync(program, ['-c', 'import recurring_ical_events']).status === 0 ? program : undefined
}
