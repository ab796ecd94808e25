-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table event alter column undid type text collate "C";
