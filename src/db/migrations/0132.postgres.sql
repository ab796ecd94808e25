-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table provider alter column meeting_link type text collate "C";
alter table reservation alter column meeting type text collate "C";
