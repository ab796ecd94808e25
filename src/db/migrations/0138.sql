-- Connected calendars whose system was asked to report changes at once.
create table calendar_watch (
  calendar_id text primary key,
  -- The SHA-256 hash of the secret with which the system reports changes.
  secret_hash text not null unique,
  channel text not null,
  -- Identifies the watch in the calendar system; empty while there is none.
  remote text not null,
  expires_at bigint not null,
  -- When the system is asked again.
  next_at bigint not null,
  -- Why the system refused; null when it did not.
  fault text
);
