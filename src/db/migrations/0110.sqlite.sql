-- An unfinished copy of a database is emptied before it is copied again.
create trigger ledger_posting_fixed before update on ledger_posting begin select raise(abort, 'ledger_fixed'); end;
create trigger ledger_entry_fixed before update on ledger_entry begin select raise(abort, 'ledger_fixed'); end;
create trigger ledger_posting_kept before delete on ledger_posting
  when not exists (select 1 from migration where name = 'copy') begin select raise(abort, 'ledger_fixed'); end;
create trigger ledger_entry_kept before delete on ledger_entry
  when not exists (select 1 from migration where name = 'copy') begin select raise(abort, 'ledger_fixed'); end;
