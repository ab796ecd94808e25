-- The secret before the last rotation, and when that was: ids of slots made under it stay valid for a while.
alter table site add column previous_secret text;
alter table site add column secret_rotated_at bigint;
