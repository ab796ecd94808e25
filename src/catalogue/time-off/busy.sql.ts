import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../db/dialects.ts'
import type { Places } from '../../db/query/prepared.ts'
import type { BusyTable } from '../../db/query/tables.ts'

/** The parameters of `overlappingBusy`: the providers to search, and the period [from, until) that a row must overlap. */
export interface OverlappingBusyValues {
  readonly providers: readonly number[]
  readonly from: number
  readonly until: number
}

/** A row of `busy` as staff see it. */
export type BusyRow = Omit<BusyTable, 'calendar_id'>

/**
 * Returns the SQL `from … where …` that selects the rows of `busy` (time off and busy times of connected calendars) of
 * the providers that overlap the period. A row that starts before the end of the period ends at most the length of the
 * provider's longest row after it. This bounds the range of the index on the ends, so that the rows of later months are
 * not read.
 */
export function overlappingBusy(dialect: Dialect, p: Places<OverlappingBusyValues>): RawBuilder<unknown> {
  const longest = sql`(select other.end_at - other.start_at from busy other where other.provider_id = wanted.value
      order by other.end_at - other.start_at desc limit 1)`
  const overlapping = sql`provider_id = wanted.value and end_at > ${p.from} and start_at < ${p.until}
      and end_at < ${p.until} + ${longest}`
  return dialect.perWanted(dialect.wanted(p.providers, 'bigint'), 'busy', overlapping)
}
