drop trigger ledger_posting_fixed;
update ledger_posting set
  service_id = (select service_id from reservation where reservation.id = ledger_posting.reservation_id),
  provider_id = (select provider_id from reservation where reservation.id = ledger_posting.reservation_id)
where reservation_id is not null;
create trigger ledger_posting_fixed before update on ledger_posting begin select raise(abort, 'ledger_fixed'); end;
