-- The last day of which each provider's agenda was queued.
create table provider_agenda (
  provider_id bigint primary key,
  last_date text not null
);
