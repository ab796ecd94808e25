-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table reservation
  alter column attendance type text collate "C",
  alter column attendance_record type text collate "C",
  alter column note type text collate "C",
  alter column cancel_reason type text collate "C";
