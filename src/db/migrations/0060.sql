-- When the last backup succeeded, after how many days the next one is overdue (null for never), and when administrators
-- were last told that it is.
create table backup_state (
  id text primary key check (id = 'site'),
  last_at bigint,
  overdue_days integer,
  reported_at bigint
);
insert into backup_state (id, last_at, overdue_days, reported_at) values ('site', null, 7, null);
