-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table voucher
  alter column id type text collate "C",
  alter column code_hash type text collate "C",
  alter column hint type text collate "C",
  alter column currency type text collate "C",
  alter column valid_until type text collate "C";
alter table ledger_posting alter column voucher_id type text collate "C";

-- A receipt may be for what was paid by voucher.
alter table receipt drop constraint receipt_method_check;
alter table receipt add constraint receipt_method_check check (method in ('online', 'on_site', 'voucher'));
