-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table node
  alter column id type text collate "C",
  alter column name type text collate "C",
  alter column version type text collate "C";
