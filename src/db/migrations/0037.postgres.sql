-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table occupancy alter column hold_id type text collate "C";
alter table reservation alter column source type text collate "C";
do $$
declare
  found record;
begin
  for found in
    select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and table_name = 'hold' and data_type = 'text'
  loop
    execute format('alter table %I alter column %I type text collate "C"', found.table_name, found.column_name);
  end loop;
end $$;
