-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table calendar_watch
  alter column calendar_id type text collate "C",
  alter column secret_hash type text collate "C",
  alter column channel type text collate "C",
  alter column remote type text collate "C",
  alter column fault type text collate "C";
