-- The consumers of the event log that refund cancelled reservations and that write reservations to calendars were stopped while
-- there was no processor or no destination. They start after the newest event on sites that have payments or written events.
insert into event_consumer (name, tx, n)
select 'payments', tx, n from event where exists (select 1 from payment)
order by tx desc, n desc limit 1
on conflict (name) do nothing;
insert into event_consumer (name, tx, n)
select 'calendars', tx, n from event where exists (select 1 from calendar_event)
order by tx desc, n desc limit 1
on conflict (name) do nothing;
