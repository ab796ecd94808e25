-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table dispute
  alter column id type text collate "C",
  alter column payment_id type text collate "C",
  alter column currency type text collate "C",
  alter column reason type text collate "C",
  alter column state type text collate "C";
