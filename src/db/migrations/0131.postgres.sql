-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table calendar_destination
  alter column account_id type text collate "C",
  alter column calendar type text collate "C",
  alter column name type text collate "C",
  alter column policy type text collate "C",
  alter column cursor_text type text collate "C",
  alter column fault type text collate "C",
  alter column fault_detail type text collate "C";
alter table calendar_event
  alter column reservation_id type text collate "C",
  alter column account_id type text collate "C",
  alter column calendar type text collate "C",
  alter column item type text collate "C",
  alter column uid type text collate "C",
  alter column etag type text collate "C",
  alter column written type text collate "C",
  alter column fault type text collate "C",
  alter column fault_detail type text collate "C";
