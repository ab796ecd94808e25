-- Since when the webhook failed of which administrators were told last.
alter table webhook_endpoint add column reported_since bigint;
