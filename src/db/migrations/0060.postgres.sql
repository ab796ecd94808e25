-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table backup_state alter column id type text collate "C";
