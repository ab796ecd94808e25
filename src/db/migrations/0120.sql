-- The processes that serve the site on PostgreSQL; each reports itself every few seconds.
create table node (
  id text primary key,
  -- The machine's host name and the process id, such as `web-1:4711`.
  name text not null,
  version text not null,
  started_at bigint not null,
  -- When the node last reported, by the database's clock.
  seen_at bigint not null,
  -- How far the node was behind the commits of the other nodes at its last report, in milliseconds.
  lag_ms bigint not null
);
