-- Deliveries are found by their event, in the delivery log and when the event was erased.
create index webhook_delivery_event on webhook_delivery (event_id);
-- The events whose content was erased, in whole or in part. `salt`, always null here, is a key so that the condition
-- `salt is null` searches the index.
create index event_erased on event (salt, id) where salt is null;
