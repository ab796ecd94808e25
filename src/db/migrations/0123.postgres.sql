-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table reconciliation alter column id type text collate "C";
alter table payment_difference
  alter column id type text collate "C",
  alter column kind type text collate "C",
  alter column reference type text collate "C",
  alter column payment_id type text collate "C",
  alter column currency type text collate "C";
alter table payout
  alter column id type text collate "C",
  alter column currency type text collate "C",
  alter column state type text collate "C";
