-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table sms_consent alter column customer_id type text collate "C", alter column number type text collate "C";
alter table notification_settings alter column gateway_secret type text collate "C";
alter table notification alter column channel type text collate "C";
