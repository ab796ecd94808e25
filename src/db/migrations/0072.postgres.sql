-- Finds the reservations that were a customer's before they became another's.
create index if not exists event_of_reassigned on event ((body::jsonb #>> '{previous,customerId}'))
  where kind = 'reservation' and type <> 'reservation.created'
    and (body::jsonb #>> '{previous,customerId}') <> (body::jsonb #>> '{object,customerId}');
