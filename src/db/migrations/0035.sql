-- Receivers of events. The secrets and the extra headers are encrypted for their row.
create table webhook_endpoint (
  id text primary key,
  url text not null,
  description text not null,
  -- JSON: event types, or `reservation.*`.
  events text not null,
  headers text not null,
  template text,
  payload_version text not null,
  secret text not null,
  previous_secret text,
  previous_until bigint,
  enabled integer not null,
  disabled_because text,
  disabled_at bigint,
  -- The first failure since the last success.
  failing_since bigint,
  last_success_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);

-- One event on its way to one endpoint. The payload is that of the event log; one of its own for events outside of the log.
create table webhook_delivery (
  id text primary key,
  endpoint_id text not null,
  event_id text not null,
  seq text not null,
  type text not null,
  object_id text not null,
  payload text,
  state text not null check (state in ('waiting', 'delivered', 'failed', 'cancelled')),
  attempts integer not null,
  next_at bigint,
  last_status integer,
  last_error text,
  created_at bigint not null,
  finished_at bigint,
  unique (endpoint_id, event_id)
);
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, seq);
create index webhook_delivery_object on webhook_delivery (object_id);
create index webhook_delivery_created on webhook_delivery (created_at);

create table webhook_attempt (
  id text primary key,
  delivery_id text not null,
  created_at bigint not null,
  milliseconds integer not null,
  status integer,
  error text,
  request_headers text not null,
  response_headers text not null,
  response text
);
create index webhook_attempt_delivery on webhook_attempt (delivery_id, created_at);

create index job_lane on job (kind, lane) where lane <> '';
