-- Slots held for a booking form, until the form is sent or the hold expires. The seats of a hold are rows of `occupancy`.
create table hold (
  id text primary key,
  -- Hashes of the form's secret and of the client's address.
  form_hash text not null unique,
  address_hash text not null,
  service_id text not null,
  provider_id bigint not null,
  start_at bigint not null,
  end_at bigint not null,
  seats integer not null,
  extended integer not null,
  placed_at bigint not null,
  expires_at bigint not null
);
create index hold_by_address on hold (address_hash, expires_at);
create index hold_by_expiry on hold (expires_at);

alter table occupancy add column hold_id text;
create index occupancy_by_hold on occupancy (hold_id) where hold_id is not null;
create index occupancy_by_expiry on occupancy (expires_at) where expires_at is not null;

-- When an unconfirmed reservation expires, and where the customer came from (JSON).
alter table reservation add column expires_at bigint;
alter table reservation add column source text;
create index reservation_by_expiry on reservation (expires_at) where expires_at is not null;
create index reservation_by_group on reservation (group_id) where group_id is not null;
