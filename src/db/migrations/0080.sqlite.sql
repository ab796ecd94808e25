-- SQLite cannot replace a check constraint, but it drops one with its column, so a new column takes the place of the old
-- one: the table is not rebuilt, and no foreign key is touched.
alter table person add column allowed_role text not null default 'read_only'
  check (allowed_role in ('admin', 'manager', 'receptionist', 'provider', 'read_only'));
update person set allowed_role = role;
alter table person drop column role;
alter table person rename column allowed_role to role;
