-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table provider_agenda alter column last_date type text collate "C";
