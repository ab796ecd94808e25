import { type CalendarColumn, minutesOfDay } from './columns.ts'
import type { Block } from './layout.ts'

/** The displayed part of the day, in minutes since midnight, and its size. */
export interface Scale {
  readonly first: number
  readonly last: number
  /** Pixels per minute. */
  readonly perMinute: number
}

/** The sizes of a minute, in pixels, from the smallest zoom to the largest. */
export const zooms = [0.55, 0.8, 1.1, 1.6, 2.4, 3.4] as const

/** The zoom of a new device. */
export const usualZoom = 2

const wholeDay = { first: 0, last: minutesOfDay }
const usualDay = { first: 8 * 60, last: 18 * 60 }

/**
 * Returns the scale of the grid. With `closed` false, the hours before the first opening and after the last are left out,
 * up to one hour; what is booked or held outside of the opening hours is always inside the scale.
 */
export function scaleOf(
  columns: readonly CalendarColumn[],
  { zoom, closed }: { readonly zoom: number; readonly closed: boolean },
): Scale {
  const perMinute = zooms[zoom] ?? zooms[usualZoom]
  if (closed) return { ...wholeDay, perMinute }
  const blocks = columns.flatMap(({ open, shared, held, cards, groups }) => [
    ...open,
    ...[...shared, ...held, ...cards, ...groups].map(({ block }) => block),
  ])
  if (blocks.length === 0) return { ...usualDay, perMinute }
  const first = Math.min(...blocks.map(({ top }) => top))
  const last = Math.max(...blocks.map(({ top, height }) => top + height))
  return {
    first: Math.max(0, Math.floor(first / 60) * 60 - 60),
    last: Math.min(minutesOfDay, Math.ceil(last / 60) * 60 + 60),
    perMinute,
  }
}

/** The position of a minute of the day within a column, by the variables of the grid. */
export function topOf(minute: number): string {
  return `calc((${minute} - var(--first)) * var(--minute))`
}

/** The position and the size of a block within a column, by the variables of the grid. */
export function boxOf({ top, height }: Block): { readonly top: string; readonly height: string } {
  return { top: topOf(top), height: `calc(${height} * var(--minute) - 1px)` }
}
