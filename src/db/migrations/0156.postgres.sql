-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table calendar_event alter column assigned_uid type text collate "C";
