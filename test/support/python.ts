import { spawnSync } from 'node:child_process'

/** Debian's own Python if it has the package python3-icalendar; undefined otherwise. */
export function pythonWithCalendar(): string | undefined {
  const program = '/usr/bin/python3'
  return spawnSync(program, ['-c', 'import icalendar']).status === 0 ? program : undefined
}

/** Debian's own Python if it has the package python3-recurring-ical-events; undefined otherwise. */
export function pythonWithRecurrence(): string | undefined {
  const program = '/usr/bin/python3'
  return spawnSync(program, ['-c', 'import recurring_ical_events']).status === 0 ? program : undefined
}
