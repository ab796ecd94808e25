-- The calendar of an account to which the reservations of a provider are written.
create table calendar_destination (
  provider_id bigint primary key,
  account_id text not null,
  -- Identifies the calendar within the account.
  calendar text not null,
  name text not null,
  -- What happens to an event that was moved in the calendar: 'reschedule' or 'restore'.
  policy text not null,
  -- 1 when the titles of events name customers.
  names integer not null,
  -- The position in the server's list of changes; empty before the first comparison.
  cursor_text text not null default '',
  -- When all events were compared; 0 for never.
  listed_at bigint not null default 0,
  -- When the calendar was compared last; 0 for never.
  read_at bigint not null default 0,
  next_at bigint not null,
  failures integer not null default 0,
  fault text,
  fault_detail text not null default '',
  created_at bigint not null
);
create index calendar_destination_by_next on calendar_destination (next_at);

-- The event of a reservation in the calendar of one provider. A row exists before its event is written, so that no event is
-- left behind by a process that ends in between.
create table calendar_event (
  reservation_id text not null,
  provider_id bigint not null,
  account_id text not null,
  calendar text not null,
  item text not null,
  uid text not null,
  -- The version of the event on the server; empty when the event is not known to exist.
  etag text not null default '',
  -- The digest of what was written; empty when the event has to be written.
  written text not null default '',
  -- The times that were written.
  start_at bigint not null default 0,
  end_at bigint not null default 0,
  -- How often the event was put back since the reservation was written last.
  restored integer not null default 0,
  -- Why the event could not be written last time; null after a success.
  fault text,
  fault_detail text not null default '',
  primary key (reservation_id, provider_id, calendar)
);
create index calendar_event_by_provider on calendar_event (provider_id, end_at);
