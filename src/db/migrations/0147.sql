-- The consumer of the event log that refunds cancelled reservations ran only while a processor was connected. It starts
-- after the newest event on sites that have vouchers.
insert into event_consumer (name, tx, n)
select 'payments', tx, n from event where exists (select 1 from voucher)
order by tx desc, n desc limit 1
on conflict (name) do nothing;
