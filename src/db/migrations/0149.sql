-- A delivery whose job was discarded, or whose endpoint was disabled while it was created, waited forever.
update webhook_delivery set state = 'cancelled', next_at = null, finished_at = coalesce(next_at, created_at)
where state = 'waiting'
  and not exists (select 1 from job where kind = 'webhook-delivery' and unique_key = webhook_delivery.id);
