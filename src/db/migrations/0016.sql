-- All that the figures of a period ask for stands in the index of starts, a slot's seats beside each other: nothing is
-- looked up in the table, nothing sorted.
drop index reservation_by_start;
create index reservation_by_start
  on reservation (start_at, provider_id, service_id, end_at, status, currency, price, id);
-- The same for each provider; with the id, a page far behind in the list passes over the index alone.
drop index reservation_by_provider;
create index reservation_by_provider on reservation (provider_id, start_at, service_id, end_at, status, id);
