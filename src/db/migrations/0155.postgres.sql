-- A calendar that is connected or removed changes the availability of its provider on every day, however far ahead: the
-- ranges of 0090 left out days after the longest reading, which stayed listed or hidden.
create function invalidate_everything() returns trigger language plpgsql as $$
begin
  insert into invalidation (subject, first_day, last_day) values ('everything', 0, 0);
  return null;
end $$;
drop trigger invalidate_connected on connected_calendar;
drop trigger invalidate_removed on connected_calendar;
create trigger invalidate_connected after insert on connected_calendar
  for each statement execute function invalidate_everything();
create trigger invalidate_removed after delete on connected_calendar
  for each statement execute function invalidate_everything();
