-- The order in which people look at services; the order of creation stays what programs are told.
alter table service add column position bigint not null default 0;
update service set position = ordinal;
