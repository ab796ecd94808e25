-- When the person of a session last proved who they are, and which rows of the panel that still covers.
alter table session add column authenticated_at bigint not null default 0;

-- A link that lifts second factors does so when it is used.
alter table person_link add column lift_second_factor bigint not null default 0;

-- Since when the person has this role, and when their second factors were lifted, until they have seen that.
alter table person add column role_since bigint not null default 0;
alter table person add column factors_lifted_at bigint;

-- Roles that need a second factor, each with the moment from which it does, and the days of grace.
alter table site add column second_factor_policy text not null default '{}';

-- Browsers that a person has signed in with, by the hash of their cookie.
create table known_device (
  hash text not null,
  person_id text not null references person (id) on delete cascade,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null,
  primary key (person_id, hash)
);
create index known_device_by_expiry on known_device (expires_at);

-- Authentication events. Failures of one quarter of an hour share a row: `bucket` says which.
create table security_event (
  id text primary key,
  bucket text unique,
  kind text not null,
  person_id text,
  actor_kind text not null,
  actor_id text not null,
  address text not null,
  detail text not null,
  count bigint not null,
  created_at bigint not null,
  last_at bigint not null
);
create index security_event_by_time on security_event (created_at, id);
create index security_event_by_person on security_event (person_id, created_at, id);
create index security_event_by_kind on security_event (kind, created_at, id);
