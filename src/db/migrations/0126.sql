-- What the customer does on the processor's page, or what is done without it: 'pay' for reservations that wait for it, 'card'
-- saves a card and takes nothing, 'fee' charges a missed visit to a saved card, 'link' pays later what is due.
alter table payment add column purpose text not null default 'pay' check (purpose in ('pay', 'card', 'fee', 'link'));

-- The card that a payment of the purpose 'card' saved. The references are the processor's; they are empty once the card was
-- removed there.
create table saved_card (
  payment_id text primary key references payment (id),
  customer_reference text not null,
  card_reference text not null,
  brand text not null,
  last4 text not null,
  saved_at bigint not null,
  removed_at bigint
);
