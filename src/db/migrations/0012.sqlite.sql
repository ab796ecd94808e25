-- Whose reservations were removed: their entries in the log are found when a customer's data is erased.
create index event_of_removed on event (json_extract(body, '$.previous.customerId')) where type = 'reservation.removed';
