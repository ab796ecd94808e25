-- The overflow of a provider (o7) is the provider's time (p7), which 0145 had left out: cached availability of another day
-- than that of the reservation's start stayed stale.
create or replace function invalidate_occupancy() returns trigger language plpgsql as $$
begin
  if (select count(*) from changed) > 1000 then
    insert into invalidation (subject, first_day, last_day) values ('everything', 0, 0);
  else
    insert into invalidation (subject, first_day, last_day)
    select distinct case when resource like 'o%' then 'p' || substr(resource, 2) else resource end,
      start_at / 86400, (end_at - 1) / 86400 from changed;
  end if;
  return null;
end $$;
