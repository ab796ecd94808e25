-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table calendar_feed
  alter column id type text collate "C",
  alter column hash type text collate "C",
  alter column service_id type text collate "C";
