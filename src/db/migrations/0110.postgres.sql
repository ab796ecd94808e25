-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table ledger_account
  alter column id type text collate "C",
  alter column kind type text collate "C";
alter table ledger_posting
  alter column id type text collate "C",
  alter column kind type text collate "C",
  alter column source type text collate "C",
  alter column payment_id type text collate "C",
  alter column reservation_id type text collate "C";
alter table ledger_entry
  alter column posting_id type text collate "C",
  alter column debit type text collate "C",
  alter column credit type text collate "C",
  alter column currency type text collate "C";

-- An unfinished copy of a database is emptied before it is copied again.
create function ledger_fixed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (select 1 from migration where name = 'copy') then return old; end if;
  raise exception 'ledger_fixed';
end $$;
create trigger ledger_posting_fixed before update or delete on ledger_posting
  for each row execute function ledger_fixed();
create trigger ledger_entry_fixed before update or delete on ledger_entry
  for each row execute function ledger_fixed();
create function ledger_kept() returns trigger language plpgsql as $$
begin
  raise exception 'ledger_fixed';
end $$;
create trigger ledger_posting_kept before truncate on ledger_posting execute function ledger_kept();
create trigger ledger_entry_kept before truncate on ledger_entry execute function ledger_kept();
