import type { IcsComponent } from '../ics/ics-reader.ts'
import { isKnownZone } from '../recurrence/calendar-zones.ts'

/**
 * The stored form of the components of a calendar item: an array per component, with its kind and its content lines.
 */
type StoredComponents = readonly (readonly [IcsComponent['kind'], ...string[]])[]

/**
 * Returns the text in which the components of a calendar item are stored. A definition of a time zone is omitted if the
 * IANA time zone database contains the zone, because `CalendarZones` ignores such definitions.
 */
export function itemText(components: readonly IcsComponent[]): string {
  const stored: StoredComponents = components
    .filter(({ kind, lines }) => kind === 'VEVENT' || !lines.some(isKnownZone))
    .map(({ kind, lines }) => [kind, ...lines])
  return JSON.stringify(stored)
}

/** Returns the components of a calendar item from the text in which `itemText` stored them. */
export function componentsOf(text: string): IcsComponent[] {
  const stored: StoredComponents = JSON.parse(text)
  return stored.map(([kind, ...lines]) => ({ kind, lines }))
}
