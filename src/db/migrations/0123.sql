-- The last comparison of the books with the processor, at most one row.
create table reconciliation (
  id text primary key,
  -- The compared window, by the processor's clock.
  from_at bigint not null,
  until_at bigint not null,
  ran_at bigint not null,
  -- The number of movements that the processor listed.
  compared integer not null
);

-- What books and processor say differently. The id is the kind, a colon and the processor's id.
create table payment_difference (
  id text primary key,
  kind text not null check (kind in ('charge', 'fee', 'refund', 'dispute', 'payout')),
  reference text not null,
  payment_id text,
  -- What the books say, and what the processor says; null for nothing at all.
  booked bigint,
  found bigint,
  currency text not null,
  -- When the money moved, when the difference was found first, and when it was still there after everything was asked again.
  at bigint not null,
  found_at bigint not null,
  confirmed_at bigint,
  -- When it was gone, or staff settled it.
  resolved_at bigint
);
create index payment_difference_open on payment_difference (at) where resolved_at is null;

-- Payouts of the processor to the bank.
create table payout (
  id text primary key,
  amount bigint not null,
  currency text not null,
  state text not null check (state in ('pending', 'paid', 'failed')),
  -- The part that comes from payments in the books; the account may serve others as well.
  own bigint not null,
  -- Whether the movements that the processor lists for it make up its amount.
  matched integer not null,
  arrives_at bigint not null,
  created_at bigint not null
);
create index payout_by_time on payout (created_at);
