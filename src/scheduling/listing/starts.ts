import type { SlotOverrides } from '../../catalogue/providers/provider.ts'

/** Starts of slots in ascending order (Unix seconds), with the overrides and the full slots among them. */
export interface Starts {
  readonly starts: readonly number[]
  /** The overrides of slot properties by start; absent for a start to which none apply. */
  readonly overrides: ReadonlyMap<number, SlotOverrides>
  /** The starts at which every seat is taken; empty unless the site lists full slots. */
  readonly full: ReadonlySet<number>
}

/** An empty list of starts. */
export const noStarts: Starts = { starts: [], overrides: new Map(), full: new Set() }

/** Returns `starts`, a part of the starts of a list, with the overrides and the full slots of that list. */
export function withStarts({ overrides, full }: Starts, starts: readonly number[]): Starts {
  return { starts, overrides, full }
}
