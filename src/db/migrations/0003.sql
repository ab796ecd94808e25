-- Who is signed in; the cookie itself is with the browser alone.
create table session (
  hash text primary key,
  id text not null unique,
  person_id text not null references person (id) on delete cascade,
  device text not null,
  address text not null,
  created_at bigint not null,
  last_seen_at bigint not null,
  expires_at bigint not null
);
create index session_by_person on session (person_id);
create index session_by_expiry on session (expires_at);

-- The link that makes the first administrator: one at most.
create table set_up_link (
  hash text primary key,
  created_at bigint not null,
  expires_at bigint not null
);

-- Authenticator apps; the secret is sealed with a key that is not in the database.
create table totp (
  person_id text primary key references person (id) on delete cascade,
  secret text not null,
  created_at bigint not null,
  confirmed_at bigint,
  last_step bigint not null
);

create table recovery_code (
  hash text primary key,
  person_id text not null references person (id) on delete cascade,
  created_at bigint not null
);
create index recovery_code_by_person on recovery_code (person_id);

create table passkey (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  name text not null,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  created_at bigint not null,
  last_used_at bigint
);
create index passkey_by_person on passkey (person_id);

-- What may be used once and was, until it would be too old anyway.
create table spent (
  hash text primary key,
  expires_at bigint not null
);
create index spent_by_expiry on spent (expires_at);

-- The history, newest first: all of it, of one kind, of one actor.
create index event_by_time on event (created_at, tx, n);
create index event_by_kind on event (kind, created_at, tx, n, type);
create index event_by_actor on event (actor_id, created_at, tx, n);
