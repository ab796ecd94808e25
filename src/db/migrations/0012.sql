-- What people note about customers; who wrote it is looked up, so that nobody's name stays behind in it.
create table customer_note (
  id text primary key,
  customer_id text not null references customer (id) on delete cascade,
  person_id text not null,
  text text not null,
  created_at bigint not null
);
create index customer_note_by_customer on customer_note (customer_id, created_at);

-- The panel's list: by name, and of one status by name or creation.
create index customer_by_name on customer (lower(name), id);
create index customer_by_status_name on customer (status, lower(name), id);
create index customer_by_status_ordinal on customer (status, ordinal, id);
