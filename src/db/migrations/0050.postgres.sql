-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table reservation alter column awaits type text collate "C";
alter table booking_link
  alter column id type text collate "C",
  alter column service_id type text collate "C",
  alter column hash type text collate "C",
  alter column reservation_id type text collate "C";
alter table bookings_access
  alter column hash type text collate "C",
  alter column kind type text collate "C",
  alter column email_key type text collate "C";
alter table deletion_request alter column customer_id type text collate "C";
alter table host_secret
  alter column id type text collate "C",
  alter column sealed type text collate "C";
