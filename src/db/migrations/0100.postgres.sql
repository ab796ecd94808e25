-- The overflow of a provider (o7) is the provider's time (p7), so that it invalidates the same cached availability.
create or replace function invalidate_occupancy() returns trigger language plpgsql as $$
begin
  insert into invalidation (subject, first_day, last_day)
  select distinct case when resource like 'o%' then 'p' || substr(resource, 2) else resource end,
    start_at / 86400, (end_at - 1) / 86400 from changed
  where (select count(*) from changed) <= 1000
  union all select 'everything', 0, 0 where (select count(*) from changed) > 1000;
  return null;
end $$;
