-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table customer_word alter column customer_id type text collate "C", alter column word type text collate "C";
