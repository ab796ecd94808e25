-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table connected_calendar
  alter column opening type text collate "C",
  alter column opening_faults type text collate "C";
alter table calendar_opening
  alter column calendar_id type text collate "C",
  alter column openings type text collate "C";
