-- How the reservation is paid and what was paid (JSON); null when there is nothing to pay.
alter table reservation add column payment text;

-- The payment processor of the site, at most one row.
create table payment_settings (
  id text primary key,
  processor text not null,
  -- The processor's keys, encrypted.
  sealed text not null,
  -- The name of the account, and why the keys do not work; both empty until the processor was asked.
  account text not null,
  fault text not null,
  checked_at bigint,
  live integer not null,
  connected_at bigint not null
);

-- One payment covers the reservations of one booking form.
create table payment (
  id text primary key,
  customer_id text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  -- 'starting' until the processor has a page for it, 'open' until it is paid or can no longer be paid.
  state text not null check (state in ('starting', 'open', 'paid', 'closed')),
  checkout_id text,
  checkout_url text,
  -- The processor's id of the charge, against which refunds are made.
  charge_id text,
  expires_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index payment_by_checkout on payment (checkout_id) where checkout_id is not null;
create index payment_by_charge on payment (charge_id) where charge_id is not null;

create table payment_share (
  payment_id text not null references payment (id),
  reservation_id text not null,
  amount bigint not null,
  -- 'waiting' until the payment is decided, then 'booked', 'returned' when the money went back, or 'closed' when nothing
  -- was paid.
  state text not null check (state in ('waiting', 'booked', 'returned', 'closed')),
  primary key (payment_id, reservation_id)
);
create index payment_share_by_reservation on payment_share (reservation_id);

create table refund (
  id text primary key,
  payment_id text not null references payment (id),
  reservation_id text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  reason text not null,
  state text not null check (state in ('pending', 'succeeded', 'failed')),
  processor_id text,
  created_at bigint not null,
  updated_at bigint not null
);
create index refund_by_payment on refund (payment_id);

-- Events of the processor that were received, so that a repeated one changes nothing.
create table processor_event (
  id text primary key,
  type text not null,
  received_at bigint not null
);
create index processor_event_by_time on processor_event (received_at);
