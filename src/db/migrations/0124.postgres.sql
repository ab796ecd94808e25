-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table receipt_settings
  alter column id type text collate "C",
  alter column name type text collate "C",
  alter column address type text collate "C",
  alter column tax_number type text collate "C";
alter table receipt_counter alter column series type text collate "C";
alter table receipt
  alter column id type text collate "C",
  alter column kind type text collate "C",
  alter column number type text collate "C",
  alter column posting_id type text collate "C",
  alter column reservation_id type text collate "C",
  alter column corrects type text collate "C",
  alter column service type text collate "C",
  alter column method type text collate "C",
  alter column currency type text collate "C",
  alter column language type text collate "C",
  alter column zone type text collate "C",
  alter column seller type text collate "C";
