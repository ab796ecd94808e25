-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table connected_calendar
  alter column id type text collate "C",
  alter column kind type text collate "C",
  alter column name type text collate "C",
  alter column host type text collate "C",
  alter column secret type text collate "C",
  alter column blocking type text collate "C",
  alter column content type text collate "C",
  alter column fault type text collate "C",
  alter column fault_detail type text collate "C";
alter table busy alter column calendar_id type text collate "C";

-- A calendar that is connected, removed, or read again after it was too old changes the availability of its provider on
-- every day; see src/db/invalidation.ts.
create function invalidate_calendar() returns trigger language plpgsql as $$
begin
  insert into invalidation (subject, first_day, last_day)
  select 'p' || provider_id, day + first, day + last
  from (select coalesce(new.provider_id, old.provider_id) as provider_id,
      coalesce(new.updated_at, old.updated_at) / 86400 as day) as changed
    cross join (values (-2, 396), (397, 795)) as part (first, last);
  return null;
end $$;
create trigger invalidate_connected after insert on connected_calendar
  for each row execute function invalidate_calendar();
create trigger invalidate_turned after update on connected_calendar
  for each row when (old.turn is distinct from new.turn) execute function invalidate_calendar();
create trigger invalidate_removed after delete on connected_calendar
  for each row execute function invalidate_calendar();
