-- Consumers of the event log: the position up to which each has turned events into jobs.
create table event_consumer (
  name text primary key,
  tx bigint not null,
  n integer not null
);
