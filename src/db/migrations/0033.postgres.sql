-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
do $$
declare
  found record;
begin
  for found in
    select column_name from information_schema.columns
    where table_schema = current_schema() and table_name = 'job' and data_type = 'text'
  loop
    execute format('alter table job alter column %I type text collate "C"', found.column_name);
  end loop;
end $$;
