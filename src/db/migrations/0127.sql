-- Gift vouchers. What is left of one is the balance of its postings, and stored nowhere else.
create table voucher (
  id text primary key,
  -- The SHA-256 of the code, which is stored nowhere, and its last four characters.
  code_hash text not null unique,
  hint text not null,
  -- What it was sold for.
  amount bigint not null check (amount > 0),
  currency text not null,
  -- The last date on which it can be redeemed, by the site's clock; null without one.
  valid_until text,
  created_at bigint not null
);
create index voucher_by_time on voucher (created_at);

alter table ledger_posting add column voucher_id text;
create index ledger_posting_by_voucher on ledger_posting (voucher_id) where voucher_id is not null;

-- What was left of vouchers that were given up.
insert into ledger_account (id, kind) values ('breakage', 'income');
