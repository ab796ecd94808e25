-- The triggers run in every booking, most often for one row: one count instead of two, and no union. The clean-up of
-- invalidations finds them by their transaction.
drop index invalidation_created_at;

create or replace function invalidate_occupancy() returns trigger language plpgsql as $$
begin
  if (select count(*) from changed) > 1000 then
    insert into invalidation (subject, first_day, last_day) values ('everything', 0, 0);
  else
    insert into invalidation (subject, first_day, last_day)
    select distinct resource, start_at / 86400, (end_at - 1) / 86400 from changed;
  end if;
  return null;
end $$;

create or replace function invalidate_reservation() returns trigger language plpgsql as $$
begin
  if (select count(*) from changed) > 1000 then
    insert into invalidation (subject, first_day, last_day) values ('everything', 0, 0);
  else
    insert into invalidation (subject, first_day, last_day)
    select distinct subject, start_at / 86400, start_at / 86400
    from changed cross join lateral (values ('service:' || service_id), ('p' || provider_id)) as of_reservation (subject);
  end if;
  return null;
end $$;
