-- A receipt may be for what was paid by voucher; SQLite changes no check of a table in place.
create table receipt_with_vouchers (
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
  method text not null check (method in ('online', 'on_site', 'voucher')),
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
insert into receipt_with_vouchers select * from receipt;
drop table receipt;
alter table receipt_with_vouchers rename to receipt;
create index receipt_by_reservation on receipt (reservation_id, issued_at);
create index receipt_by_year on receipt (year);
