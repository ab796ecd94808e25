-- Sorts by code point, whatever the locale of the database.
alter table service alter column form type text collate "C";
