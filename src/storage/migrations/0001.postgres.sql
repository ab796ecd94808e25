create extension if not exists btree_gist;

-- Behind the check in the booking transaction the database itself refuses an overlap.
alter table occupancy add constraint occupancy_overlap
  exclude using gist (resource with =, int8range(start_at, end_at) with &&, slot with <>);

create function occupancy_shape() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from occupancy
    where resource = new.resource and slot = new.slot and (start_at <> new.start_at or end_at <> new.end_at)
  ) then
    raise exception 'occupancy_shape' using errcode = 'exclusion_violation';
  end if;
  return new;
end $$;
create trigger occupancy_shape before insert on occupancy for each row execute function occupancy_shape();

create function occupancy_fixed() returns trigger language plpgsql as $$
begin
  raise exception 'occupancy_fixed' using errcode = 'exclusion_violation';
end $$;
create trigger occupancy_fixed before update on occupancy for each row execute function occupancy_fixed();
