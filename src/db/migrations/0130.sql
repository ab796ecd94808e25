-- Accounts with another calendar system, of which a provider chooses calendars. The credentials are encrypted.
create table calendar_account (
  id text primary key,
  provider_id bigint not null,
  kind text not null,
  -- The user name, which is shown; the password is a secret.
  login text not null,
  host text not null,
  secret text not null,
  -- JSON: the calendars that were found last.
  found text not null default '[]',
  -- When the calendars were found; 0 for never.
  found_at bigint not null default 0,
  -- Why the calendars could not be listed last time; null after a success.
  fault text,
  fault_detail text not null default '',
  -- Incremented by each change of the address or credentials.
  revision integer not null default 0,
  created_at bigint not null
);
create index calendar_account_by_provider on calendar_account (provider_id);

-- A calendar of an account has no address of its own: remote identifies the calendar within the account.
alter table connected_calendar add column account_id text;
alter table connected_calendar add column remote text;

-- The events of a calendar that is read incrementally: only what decides when time is busy, no titles.
create table calendar_item (
  calendar_id text not null,
  item text not null,
  -- The version of the item on the server.
  etag text not null,
  -- JSON, see StoredComponents.
  content text not null,
  primary key (calendar_id, item)
);
