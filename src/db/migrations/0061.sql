-- Short messages through an HTTP gateway: its encrypted password and headers, the channel of each logged message, and the
-- customers who agreed to short messages, with their number in E.164 form.
alter table notification_settings add column gateway_secret text;
alter table notification add column channel text not null default 'email';

create table sms_consent (
  customer_id text primary key,
  number text not null,
  agreed_at bigint not null
);
