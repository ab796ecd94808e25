import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { CacheEntry } from './clock-cache.ts'
import type { ListedSlots } from './listed-slots.ts'
import type { MergedDay } from './merge-day.ts'
import type { Cut, ServiceUnits } from './question.ts'
import type { SourceUnits } from './units.ts'

/** A filter, and the matching slot sources (each is one provider, or all providers of a collective service). */
export interface CachedQuestion extends CacheEntry {
  /** The cache key of the filter (see `keyOf`). */
  readonly key: string
  readonly catalogue: Catalogue
  readonly services: readonly ServiceUnits[]
  /** The slot sources of all services, in the order of the services. */
  readonly sources: readonly SourceUnits[]
  /** The ids of the services whose routing compares how often each provider was assigned (the routing counts). */
  readonly ranked: readonly string[]
  /** The longest booking horizon of the sources, in seconds; no slot starts later than this many seconds from now. */
  readonly horizon: number
  readonly days: Map<number, MergedDay>
  /** Whether the question and its merged days are cached: if it has one slot source, or was asked before. */
  readonly cached: boolean
  /** The last list made from cached days; returned again if the same query is repeated while the list is current. */
  last: (Cut & { readonly days: readonly MergedDay[]; readonly list: ListedSlots }) | undefined
}
