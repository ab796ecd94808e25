-- What a posting was about when it was made: reservations can be removed, and services can change their tax rate.
alter table ledger_posting add column service_id text;
alter table ledger_posting add column provider_id bigint;
-- The tax that the amount includes, in basis points; null when none is shown.
alter table ledger_posting add column tax_rate integer;
create index ledger_posting_by_payment on ledger_posting (payment_id);
