-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table payment alter column purpose type text collate "C";
alter table saved_card
  alter column payment_id type text collate "C",
  alter column customer_reference type text collate "C",
  alter column card_reference type text collate "C",
  alter column brand type text collate "C",
  alter column last4 type text collate "C";
