-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table reservation alter column payment type text collate "C";
alter table payment_settings
  alter column fault type text collate "C",
  alter column id type text collate "C",
  alter column processor type text collate "C",
  alter column sealed type text collate "C",
  alter column account type text collate "C";
alter table payment
  alter column id type text collate "C",
  alter column customer_id type text collate "C",
  alter column currency type text collate "C",
  alter column state type text collate "C",
  alter column checkout_id type text collate "C",
  alter column checkout_url type text collate "C",
  alter column charge_id type text collate "C";
alter table payment_share
  alter column payment_id type text collate "C",
  alter column reservation_id type text collate "C",
  alter column state type text collate "C";
alter table refund
  alter column id type text collate "C",
  alter column payment_id type text collate "C",
  alter column reservation_id type text collate "C",
  alter column currency type text collate "C",
  alter column reason type text collate "C",
  alter column state type text collate "C",
  alter column processor_id type text collate "C";
alter table processor_event
  alter column id type text collate "C",
  alter column type type text collate "C";
