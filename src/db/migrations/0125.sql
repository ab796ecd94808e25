-- Coupons: codes that reduce the price of bookings by a percentage or an amount.
create table coupon (
  id text primary key,
  -- In capitals, as customers' spellings are compared.
  code text not null unique,
  -- What it takes off: a whole percentage, or an amount in the smallest unit of the currency.
  percent integer,
  amount bigint,
  currency text,
  -- The first and the last date, by the site's clock; null without one.
  valid_from text,
  valid_until text,
  max_uses bigint,
  max_uses_per_customer bigint,
  -- The services for which it counts (JSON); an empty list for all.
  service_ids text not null,
  active integer not null,
  created_at bigint not null,
  check ((percent is null) <> (amount is null)),
  check ((amount is null) = (currency is null))
);

-- Which reservation was booked with which coupon. Whether a use counts follows from the reservation, so that one that
-- expires unpaid, or is cancelled before it was paid, gives its use back without another write.
create table coupon_use (
  reservation_id text primary key,
  coupon_id text not null,
  -- The reservations of one booking are one use.
  booking text not null
);
create index coupon_use_by_coupon on coupon_use (coupon_id);
