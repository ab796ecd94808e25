-- Who issues receipts, and for how many years they are kept; at most one row.
create table receipt_settings (
  id text primary key,
  name text not null,
  address text not null,
  tax_number text not null,
  years integer not null
);

-- The last number of each series, such as '2026' and 'C2026'. A number is taken in the transaction that issues the receipt, so
-- that one that is rolled back leaves no gap.
create table receipt_counter (
  series text primary key,
  last bigint not null
);

-- Receipts of payments, and credit notes of what went back. They name no customer.
create table receipt (
  id text primary key,
  kind text not null check (kind in ('receipt', 'credit_note')),
  number text not null unique,
  year integer not null,
  issued_at bigint not null,
  -- What is documented: one posting of the books each.
  posting_id text not null unique,
  reservation_id text not null,
  -- The number of what a credit note takes back, or of the credit note that this receipt replaces.
  corrects text,
  service text not null,
  -- When the service was to be given.
  service_at bigint not null,
  method text not null check (method in ('online', 'on_site')),
  amount bigint not null,
  currency text not null,
  -- The included tax, in basis points and in the currency; null when none is shown.
  tax_rate integer,
  tax bigint,
  language text not null,
  zone text not null,
  -- Name, address and tax number of the seller at that time (JSON).
  seller text not null
);
create index receipt_by_reservation on receipt (reservation_id, issued_at);
create index receipt_by_year on receipt (year);
