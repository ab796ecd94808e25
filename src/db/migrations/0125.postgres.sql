-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table coupon
  alter column id type text collate "C",
  alter column code type text collate "C",
  alter column currency type text collate "C",
  alter column valid_from type text collate "C",
  alter column valid_until type text collate "C",
  alter column service_ids type text collate "C";
alter table coupon_use
  alter column reservation_id type text collate "C",
  alter column coupon_id type text collate "C",
  alter column booking type text collate "C";
