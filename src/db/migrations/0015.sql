-- The highest number of a provider who was removed: numbers are not given twice, as logs and accounts elsewhere keep them.
alter table site add column last_provider bigint not null default 0;
