-- Text sorts by code point as it does on SQLite, whatever the database's own collation is.
alter table ledger_posting alter column service_id type text collate "C";

alter table ledger_posting disable trigger ledger_posting_fixed;
update ledger_posting set service_id = reservation.service_id, provider_id = reservation.provider_id
  from reservation where reservation.id = ledger_posting.reservation_id;
alter table ledger_posting enable trigger ledger_posting_fixed;
