-- Access of a mailbox to its bookings: the link of a mail, or the browser that has used it. Both end after an hour.
create table bookings_access (
  -- The SHA-256 hash of the secret of the link, or of the cookie.
  hash text primary key,
  kind text not null check (kind in ('link', 'browser')),
  email_key text not null,
  created_at bigint not null,
  expires_at bigint not null
);
create index bookings_access_by_email on bookings_access (email_key, created_at);
create index bookings_access_by_expiry on bookings_access (expires_at);

-- Customers who asked for the deletion of their data, until the desk has decided.
create table deletion_request (
  customer_id text primary key,
  requested_at bigint not null
);
