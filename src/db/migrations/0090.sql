-- Calendars of other systems whose events block the time of a provider. What blocks time is copied into busy, as times
-- alone; the address and credentials are encrypted.
create table connected_calendar (
  id text primary key,
  provider_id bigint not null,
  kind text not null,
  name text not null,
  -- The host of the address, which is shown; the address itself is a secret.
  host text not null,
  secret text not null,
  -- JSON: which kinds of events block time.
  blocking text not null,
  -- JSON: the digest and the validators of the last content, and what its expansion depended on; empty before the first.
  content text not null default '',
  -- Busy times are complete up to this instant; later ones are not offered.
  covered_until bigint not null default 0,
  -- When the calendar was last read successfully; 0 for never. Older than the limit of the site means not offered.
  read_at bigint not null default 0,
  tried_at bigint,
  next_at bigint not null,
  failures integer not null default 0,
  -- The code of the last failure; null after a success.
  fault text,
  fault_detail text not null default '',
  -- Incremented by each change of the settings, so that a result that was read before is not stored.
  revision integer not null default 0,
  -- Incremented whenever availability may have changed without a change of busy.
  turn integer not null default 0,
  created_at bigint not null,
  updated_at bigint not null
);
create index connected_calendar_by_provider on connected_calendar (provider_id);
create index connected_calendar_by_next on connected_calendar (next_at);

alter table busy add column calendar_id text;
create index busy_by_calendar on busy (calendar_id) where calendar_id is not null;
