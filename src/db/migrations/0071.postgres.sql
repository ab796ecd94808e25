-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table user_language alter column person_id type text collate "C", alter column language type text collate "C";
