-- Outgoing mail and notifications: one row of settings; the password is encrypted.
create table notification_settings (
  id text primary key check (id = 'site'),
  body text not null,
  smtp_password text,
  updated_at bigint not null
);

-- The site's own texts; the newest version of a kind, service and language applies. An empty text resets to the default.
create table notification_template (
  kind text not null,
  service_id text not null,
  locale text not null,
  version integer not null,
  subject text not null,
  body text not null,
  user_id text not null,
  created_at bigint not null,
  primary key (kind, service_id, locale, version)
);

-- The log of messages: one row per message that was sent, or was not.
create table notification (
  id text primary key,
  kind text not null,
  reservation_id text,
  customer_id text,
  recipient text not null,
  locale text not null,
  subject text not null,
  state text not null check (state in ('sent', 'failed', 'skipped', 'retrying')),
  reason text not null,
  attempts integer not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index notification_by_time on notification (created_at, id);
create index notification_by_reservation on notification (reservation_id, created_at);
create index notification_by_customer on notification (customer_id, created_at);

-- Addresses that no mail is sent to: they do not exist, or their owner does not want any.
create table mail_suppression (
  address_key text primary key,
  -- bounced: no mail at all; unsubscribed: no reminders and follow-ups.
  reason text not null check (reason in ('bounced', 'unsubscribed')),
  detail text not null,
  created_at bigint not null
);
