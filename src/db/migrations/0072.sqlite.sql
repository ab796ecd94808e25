-- Finds the reservations that were a customer's before they became another's.
create index if not exists event_of_reassigned on event (json_extract(body, '$.previous.customerId'))
  where kind = 'reservation' and type <> 'reservation.created'
    and json_extract(body, '$.previous.customerId') <> json_extract(body, '$.object.customerId');
