-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table kept_conflict
  alter column reservation_id type text collate "C",
  alter column slot type text collate "C",
  alter column rules type text collate "C",
  alter column person_id type text collate "C";
