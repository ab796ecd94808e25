-- The books of payments: double entry, append-only.
create table ledger_account (
  id text primary key,
  kind text not null check (kind in ('asset', 'liability', 'income', 'expense'))
);
insert into ledger_account (id, kind) values
  ('processor', 'asset'),
  ('on_site', 'asset'),
  ('bank', 'asset'),
  ('vouchers', 'liability'),
  ('sales', 'income'),
  ('fees', 'expense'),
  ('refunds', 'expense'),
  ('disputes', 'expense'),
  ('written_off', 'expense');

-- What happened, such as a charge or a refund, with what it was for.
create table ledger_posting (
  id text primary key,
  kind text not null,
  -- Names the cause, such as 'charge:' and the id of the payment: a cause that is reported twice is posted once.
  source text not null unique,
  payment_id text,
  reservation_id text,
  posted_at bigint not null
);
create index ledger_posting_by_reservation on ledger_posting (reservation_id);
create index ledger_posting_by_time on ledger_posting (posted_at);

-- One row moves an amount from one account to another, so debits and credits are equal by construction.
create table ledger_entry (
  posting_id text not null references ledger_posting (id),
  n integer not null,
  debit text not null references ledger_account (id),
  credit text not null references ledger_account (id),
  amount bigint not null check (amount > 0),
  currency text not null,
  primary key (posting_id, n),
  check (debit <> credit)
);
