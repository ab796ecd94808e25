-- When the recipient unsubscribed; null when they did not. A later bounce replaced the unsubscription, and none was
-- stored for an address that had bounced.
alter table mail_suppression add column unsubscribed_at bigint;
update mail_suppression set unsubscribed_at = created_at where reason = 'unsubscribed';
