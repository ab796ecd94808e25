create table site (
  id integer primary key check (id = 1),
  name text not null,
  timezone text not null,
  site_url text not null,
  language text not null,
  currency text not null,
  holidays text not null,
  policies text not null,
  secret text not null,
  catalogue text not null,
  tx_base bigint not null default 0,
  created_at bigint not null
);

create table service (
  id text primary key,
  key text unique,
  ordinal bigint not null,
  name text not null,
  description text not null,
  color text,
  settings text not null,
  data text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index service_by_ordinal on service (ordinal, id);

create table provider (
  id bigint primary key,
  key text unique,
  name text not null,
  email text not null,
  timezone text not null,
  restrict_services integer not null,
  allowed_services text not null,
  weekly text not null,
  overrides text not null,
  created_at bigint not null,
  updated_at bigint not null
);

create table provider_service (
  provider_id bigint not null references provider (id) on delete cascade,
  service_id text not null references service (id) on delete cascade,
  settings text not null,
  data text not null,
  primary key (provider_id, service_id)
);

create table customer (
  id text primary key,
  key text unique,
  ordinal bigint not null,
  name text not null,
  email text not null,
  email_key text not null,
  phone text not null,
  host_user_id bigint not null,
  status integer not null,
  timezone text,
  language text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index customer_by_ordinal on customer (ordinal, id);
create index customer_by_email on customer (email_key);
create index customer_by_host_user on customer (host_user_id);

create table host_user (
  id bigint primary key,
  email text not null,
  email_key text not null unique,
  name text not null,
  role text not null,
  created_at bigint not null
);

-- service_id and customer_id refer without a constraint: removed ones leave their cancelled reservations behind.
create table reservation (
  id text primary key,
  key text unique,
  service_id text not null,
  customer_id text not null,
  provider_id bigint not null,
  availability_id text not null,
  start_at bigint not null,
  end_at bigint not null check (end_at > start_at),
  status text not null check (status in ('pending', 'confirmed', 'cancelled')),
  data text not null,
  price bigint,
  currency text,
  local_start text not null,
  zone text not null,
  tz_version text not null,
  assigned_because text,
  series_id text,
  group_id text,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index reservation_by_start on reservation (start_at, id);
create index reservation_by_provider on reservation (provider_id, start_at);
create index reservation_by_service on reservation (service_id, start_at);
create index reservation_by_customer on reservation (customer_id, start_at);
create index reservation_by_end on reservation (end_at);

create table occupancy (
  id text primary key,
  reservation_id text,
  resource text not null,
  slot text not null,
  seat integer not null check (seat >= 1),
  start_at bigint not null,
  end_at bigint not null check (end_at > start_at),
  expires_at bigint,
  check (reservation_id is not null or expires_at is not null),
  unique (resource, slot, seat)
);
create index occupancy_by_start on occupancy (resource, start_at);
create index occupancy_by_reservation on occupancy (reservation_id);
create index occupancy_by_end on occupancy (end_at);

create table busy (
  id text primary key,
  provider_id bigint not null,
  source text not null check (source in ('time_off', 'calendar')),
  start_at bigint not null,
  end_at bigint not null check (end_at > start_at),
  note text not null
);
create index busy_by_provider on busy (provider_id, end_at);

create table assignment (
  service_id text not null,
  provider_id bigint not null,
  count bigint not null,
  last_at bigint not null,
  turn bigint not null,
  primary key (service_id, provider_id)
);

create table token (
  id text primary key,
  name text not null,
  scope text not null check (scope in ('read', 'write')),
  hash text not null unique,
  rate_limit integer,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint,
  last_used_ip text
);

create table event (
  tx bigint not null,
  n integer not null,
  id text not null unique,
  type text not null,
  kind text not null,
  object_id text not null,
  body text,
  body_version integer not null,
  actor_kind text not null,
  actor_id text not null,
  request_id text,
  created_at bigint not null,
  salt text,
  digest text,
  primary key (tx, n)
);
create index event_by_object on event (kind, object_id);

create table idempotency (
  scope text not null,
  key text not null,
  hash text not null,
  outcome text not null,
  expires_at bigint not null,
  primary key (scope, key)
);
create index idempotency_by_expiry on idempotency (expires_at);
