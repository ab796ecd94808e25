-- Payments that a customer disputed with the bank. The id is the processor's.
create table dispute (
  id text primary key,
  payment_id text not null references payment (id),
  amount bigint not null,
  currency text not null,
  -- The processor's word for why, such as 'fraudulent'.
  reason text not null,
  -- 'inquiry' while the bank only asks and took nothing; 'open' until it is decided.
  state text not null check (state in ('inquiry', 'open', 'won', 'lost')),
  -- What the processor took back, and what it returned.
  taken bigint not null,
  returned bigint not null,
  -- Until when the site may answer; null when it no longer can.
  due_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create index dispute_by_payment on dispute (payment_id);
create index dispute_undecided on dispute (created_at) where state in ('inquiry', 'open');
