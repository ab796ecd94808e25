-- The secret with which the host site signs its users' tokens, encrypted.
create table host_secret (
  id text primary key check (id = 'site'),
  sealed text not null,
  created_at bigint not null
);
