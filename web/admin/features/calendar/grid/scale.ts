import { minutesOfDay } from '../../../data/dates/clock.ts'
import type { CalendarColumn } from './columns.ts'
import type { Block } from './layout.ts'

/** The period of the day that the grid displays, in minutes since midnight, and its scale. */
export interface Scale {
  readonly first: number
  readonly last: number
  /** The scale in pixels per minute. */
  readonly perMinute: number
}

/** The zoom levels: the height of one minute in pixels, in increasing order. */
export const zooms = [0.55, 0.8, 1.1, 1.6, 2.4, 3.4] as const

/** The index in `zooms` that applies until the user changes the zoom. */
export const defaultZoom = 2

const wholeDay = { first: 0, last: minutesOfDay }
const defaultHours = { first: 8 * 60, last: 18 * 60 }

/**
 * Returns the scale of the grid. With `closed`, the grid displays the whole day. Otherwise it displays full hours, from
 * one hour before the earliest opening hours, reservation or slot held for an open booking form to one hour after the
 * latest; 08:00 to 18:00 when the columns contain none.
 */
export function scaleOf(
  columns: readonly CalendarColumn[],
  { zoom, closed }: { readonly zoom: number; readonly closed: boolean },
): Scale {
  const perMinute = zooms[zoom] ?? zooms[defaultZoom]
  if (closed) return { ...wholeDay, perMinute }
  const blocks = columns.flatMap(({ open, shared, held, cards, groups }) => [
    ...open,
    ...[...shared, ...held, ...cards, ...groups].map(({ block }) => block),
  ])
  if (blocks.length === 0) return { ...defaultHours, perMinute }
  const first = Math.min(...blocks.map(({ top }) => top))
  const last = Math.max(...blocks.map(({ top, height }) => top + height))
  return {
    first: Math.max(0, Math.floor(first / 60) * 60 - 60),
    last: Math.min(minutesOfDay, Math.ceil(last / 60) * 60 + 60),
    perMinute,
  }
}

/** Returns the CSS position of a minute of the day within a column, computed from the custom properties of the grid. */
export function cssTopOf(minute: number): string {
  return `calc((${minute} - var(--first)) * var(--minute))`
}

/** Returns the CSS position and height of a block within a column, computed from the custom properties of the grid. */
export function cssBoxOf({ top, height }: Block): { readonly top: string; readonly height: string } {
  return { top: cssTopOf(top), height: `calc(${height} * var(--minute) - 1px)` }
}
