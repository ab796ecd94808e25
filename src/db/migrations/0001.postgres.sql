create extension if not exists btree_gist;

-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
do $$
declare
  found record;
begin
  for found in
    select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and data_type = 'text' and table_name in (
      'site', 'service', 'provider', 'provider_service', 'customer', 'host_user', 'reservation',
      'occupancy', 'busy', 'assignment', 'token', 'event', 'idempotency', 'migration')
  loop
    execute format('alter table %I alter column %I type text collate "C"', found.table_name, found.column_name);
  end loop;
end $$;

-- Behind the check in the booking transaction the database itself refuses an overlap.
alter table occupancy add constraint occupancy_overlap
  exclude using gist (resource with =, int8range(start_at, end_at) with &&, slot with <>);

create function occupancy_shape() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from occupancy
    where resource = new.resource and slot = new.slot and (start_at <> new.start_at or end_at <> new.end_at)
  ) then
    raise exception 'occupancy_shape' using errcode = 'exclusion_violation', constraint = 'occupancy_shape';
  end if;
  return new;
end $$;
create trigger occupancy_shape before insert on occupancy for each row execute function occupancy_shape();

create function occupancy_fixed() returns trigger language plpgsql as $$
begin
  raise exception 'occupancy_fixed' using errcode = 'exclusion_violation', constraint = 'occupancy_fixed';
end $$;
create trigger occupancy_fixed before update on occupancy for each row execute function occupancy_fixed();
