-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
do $$
declare
  found record;
begin
  for found in
    select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and data_type = 'text'
      and table_name in ('booking_page', 'service_page', 'service_slug', 'booking_step_count', 'rating')
  loop
    execute format('alter table %I alter column %I type text collate "C"', found.table_name, found.column_name);
  end loop;
end $$;
