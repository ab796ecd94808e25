-- Private links to a service: one-time, expiring, or both. The secret of a link is stored as its SHA-256 hash.
create table booking_link (
  id text primary key,
  service_id text not null,
  hash text not null unique,
  single_use integer not null,
  expires_at bigint,
  created_at bigint not null,
  -- When and with which reservation a one-time link was used.
  used_at bigint,
  reservation_id text,
  revoked_at bigint
);
create index booking_link_by_service on booking_link (service_id, created_at);
