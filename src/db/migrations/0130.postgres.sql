-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table calendar_account
  alter column id type text collate "C",
  alter column kind type text collate "C",
  alter column login type text collate "C",
  alter column host type text collate "C",
  alter column secret type text collate "C",
  alter column found type text collate "C",
  alter column fault type text collate "C",
  alter column fault_detail type text collate "C";
alter table connected_calendar
  alter column account_id type text collate "C",
  alter column remote type text collate "C";
alter table calendar_item
  alter column calendar_id type text collate "C",
  alter column item type text collate "C",
  alter column etag type text collate "C",
  alter column content type text collate "C";
