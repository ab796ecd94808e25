-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table customer alter column details type text collate "C";
