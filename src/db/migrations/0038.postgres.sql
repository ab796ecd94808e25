-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table site_logo alter column id type text collate "C", alter column content type text collate "C";
