import type { IcsComponent } from '../ics/ics-reader.ts'
import { isKnownZone } from '../recurrence/calendar-zones.ts'

/** The stored form of an item's components: an array per component, with its kind and its content lines. */
type StoredComponents = readonly (readonly [IcsComponent['kind'], ...string[]])[]

/**
 * Returns the text in which the components of an item are stored. Definitions of time zones that the zone database contains
 * are omitted, because that database takes precedence over them.
 */
export function itemText(components: readonly IcsComponent[]): string {
  const stored: StoredComponents = components
    .filter(({ kind, lines }) => kind === 'VEVENT' || !lines.some(isKnownZone))
    .map(({ kind, lines }) => [kind, ...lines])
  return JSON.stringify(stored)
}

/** Returns the components of a stored item. */
export function componentsOf(text: string): IcsComponent[] {
  const stored: StoredComponents = JSON.parse(text)
  return stored.map(([kind, ...lines]) => ({ kind, lines }))
}
