import { sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * The SQL that analyzes the nonempty PostgreSQL tables, as is needed after a bulk load. Empty tables are left out:
 * their statistics would make a full scan look free, and connections would continue to use such plans while the table
 * grows.
 */
export const analyzeText = `
  do $$ declare filled text; begin
    select string_agg(oid::regclass::text, ', ') into filled from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and pg_relation_size(oid) > 0;
    if filled is not null then execute 'analyze ' || filled; end if;
  end $$`

/** Updates the planner's statistics on PostgreSQL; does nothing on SQLite, where no statistics are gathered. */
export async function refreshStatistics(db: Database): Promise<void> {
  if (db.dialect.name === 'postgres') await sql.raw(analyzeText).execute(db.build)
}
