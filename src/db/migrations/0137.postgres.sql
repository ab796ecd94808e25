-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table calendar_app
  alter column kind type text collate "C",
  alter column client_id type text collate "C",
  alter column secret type text collate "C";
alter table calendar_grant
  alter column state_hash type text collate "C",
  alter column person_id type text collate "C",
  alter column kind type text collate "C",
  alter column account_id type text collate "C",
  alter column secret type text collate "C";
