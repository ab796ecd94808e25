import type { SlotOverrides } from '../../catalogue/providers/provider.ts'

/** Starts of slots in ascending order (Unix seconds), with what distinguishes some of them. */
export interface Starts {
  readonly starts: readonly number[]
  /** The overrides of the start's local date, where it has any. */
  readonly overrides: ReadonlyMap<number, SlotOverrides>
  /** The starts at which every seat is taken; empty unless full slots are listed too. */
  readonly full: ReadonlySet<number>
}

/** No start at all. */
export const noStarts: Starts = { starts: [], overrides: new Map(), full: new Set() }

/** The same with other starts: a part of them. */
export function withStarts({ overrides, full }: Starts, starts: readonly number[]): Starts {
  return { starts, overrides, full }
}
