import type { SlotOverrides } from '../../catalogue/providers/provider.ts'

/** Starts of slots in ascending order (Unix seconds), with slot overrides and the starts of full slots. */
export interface Starts {
  readonly starts: readonly number[]
  /** The overrides of slot properties by start; absent for a start to which none apply. */
  readonly overrides: ReadonlyMap<number, SlotOverrides>
  /**
   * Starts of slots of which every seat is taken, including those removed from `starts` because they are not listed.
   */
  readonly full: ReadonlySet<number>
}

/** An empty list of starts. */
export const noStarts: Starts = { starts: [], overrides: new Map(), full: new Set() }

/** Returns the list reduced to `starts`, a part of its starts; `overrides` and `full` are unchanged. */
export function withStarts({ overrides, full }: Starts, starts: readonly number[]): Starts {
  return { starts, overrides, full }
}
