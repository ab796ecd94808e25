-- What commits changed that cached availability depends on: one row for each subject and range of UTC days. Written in the
-- transaction that makes the change, read by every node, deleted after ten minutes. See src/scheduling/invalidation.ts.
create table invalidation (
  id bigint generated always as identity primary key,
  tx bigint not null default (pg_current_xact_id()::text::bigint),
  subject text collate "C" not null,
  first_day bigint not null,
  last_day bigint not null,
  created_at bigint not null default (extract(epoch from clock_timestamp())::bigint)
);
create index invalidation_tx on invalidation (tx);
create index invalidation_created_at on invalidation (created_at);

-- A statement that changes more than 1,000 rows is written as a change of everything.
create function invalidate_occupancy() returns trigger language plpgsql as $$
begin
  insert into invalidation (subject, first_day, last_day)
  select distinct resource, start_at / 86400, (end_at - 1) / 86400 from changed
  where (select count(*) from changed) <= 1000
  union all select 'everything', 0, 0 where (select count(*) from changed) > 1000;
  return null;
end $$;
create trigger invalidate_inserted after insert on occupancy
  referencing new table as changed for each statement execute function invalidate_occupancy();
create trigger invalidate_deleted after delete on occupancy
  referencing old table as changed for each statement execute function invalidate_occupancy();

create function invalidate_busy() returns trigger language plpgsql as $$
begin
  insert into invalidation (subject, first_day, last_day)
  select distinct 'p' || provider_id, start_at / 86400, (end_at - 1) / 86400 from changed
  where (select count(*) from changed) <= 1000
  union all select 'everything', 0, 0 where (select count(*) from changed) > 1000;
  return null;
end $$;
create trigger invalidate_inserted after insert on busy
  referencing new table as changed for each statement execute function invalidate_busy();
create trigger invalidate_deleted after delete on busy
  referencing old table as changed for each statement execute function invalidate_busy();
create trigger invalidate_updated_from after update on busy
  referencing old table as changed for each statement execute function invalidate_busy();
create trigger invalidate_updated_to after update on busy
  referencing new table as changed for each statement execute function invalidate_busy();

create function invalidate_reservation() returns trigger language plpgsql as $$
begin
  insert into invalidation (subject, first_day, last_day)
  select distinct subject, start_at / 86400, start_at / 86400
  from changed cross join lateral (values ('service:' || service_id), ('p' || provider_id)) as of_reservation (subject)
  where (select count(*) from changed) <= 1000
  union all select 'everything', 0, 0 where (select count(*) from changed) > 1000;
  return null;
end $$;
create trigger invalidate_inserted after insert on reservation
  referencing new table as changed for each statement execute function invalidate_reservation();
create trigger invalidate_deleted after delete on reservation
  referencing old table as changed for each statement execute function invalidate_reservation();

create function invalidate_updated_reservation() returns trigger language plpgsql as $$
begin
  insert into invalidation (subject, first_day, last_day)
  with moved as (
    select before.service_id as old_service, before.provider_id as old_provider, before.start_at as old_start,
      after.service_id as new_service, after.provider_id as new_provider, after.start_at as new_start
    from changed_from before join changed_to after using (id)
    where (before.service_id, before.provider_id, before.start_at, before.end_at, before.status)
      is distinct from (after.service_id, after.provider_id, after.start_at, after.end_at, after.status))
  select distinct subject, start_at / 86400, start_at / 86400
  from moved cross join lateral (values
    ('service:' || old_service, old_start), ('p' || old_provider, old_start),
    ('service:' || new_service, new_start), ('p' || new_provider, new_start)) as of_reservation (subject, start_at)
  where (select count(*) from moved) <= 1000
  union all select 'everything', 0, 0 where (select count(*) from moved) > 1000;
  return null;
end $$;
create trigger invalidate_updated after update on reservation
  referencing old table as changed_from new table as changed_to
  for each statement execute function invalidate_updated_reservation();

create function invalidate_assignment() returns trigger language plpgsql as $$
begin
  insert into invalidation (subject, first_day, last_day) select distinct 'assignments:' || service_id, 0, 0 from changed;
  return null;
end $$;
create trigger invalidate_inserted after insert on assignment
  referencing new table as changed for each statement execute function invalidate_assignment();
create trigger invalidate_updated after update on assignment
  referencing new table as changed for each statement execute function invalidate_assignment();
create trigger invalidate_deleted after delete on assignment
  referencing old table as changed for each statement execute function invalidate_assignment();

create function invalidate_catalogue() returns trigger language plpgsql as $$
begin
  insert into invalidation (subject, first_day, last_day) values ('catalogue', 0, 0);
  return null;
end $$;
create trigger invalidate_catalogue after insert or update on site
  for each statement execute function invalidate_catalogue();
