import type pg from 'pg'

/**
 * Replaces the clock of a test's database on PostgreSQL for all connections that are opened afterwards. Returns a
 * function that sets how many seconds the clock is ahead; at first it is right.
 */
export async function adjustableClock(client: pg.Client): Promise<(seconds: number) => Promise<unknown>> {
  await client.query(`
    create table apart (seconds float8 not null);
    insert into apart values (0);
    create function public.clock_timestamp() returns timestamptz language sql volatile as
      'select pg_catalog.clock_timestamp() + (select seconds from public.apart) * interval ''1 second''';
    do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`)
  return (seconds) => client.query('update apart set seconds = $1', [seconds])
}
