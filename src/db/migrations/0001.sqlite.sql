-- Behind the check in the booking transaction the database itself refuses an overlap.
create trigger occupancy_overlap before insert on occupancy begin
  select raise(abort, 'occupancy_overlap')
  where (
    select end_at from occupancy
    where resource = new.resource and slot <> new.slot and start_at < new.end_at
    order by start_at desc limit 1
  ) > new.start_at;
  select raise(abort, 'occupancy_shape')
  where exists (
    select 1 from occupancy
    where resource = new.resource and slot = new.slot and (start_at <> new.start_at or end_at <> new.end_at)
  );
end;

create trigger occupancy_fixed before update on occupancy begin
  select raise(abort, 'occupancy_fixed');
end;
