-- Secret addresses under which calendar programs subscribe to the reservations of a provider, a service or the site.
create table calendar_feed (
  id text primary key,
  hash text not null unique,
  -- The provider or the service of the feed; both are null for the whole site.
  provider_id bigint,
  service_id text,
  -- 1 when the events name the customers.
  names integer not null,
  created_at bigint not null,
  -- The last day on which the feed was read, as its first second in UTC; null before.
  read_at bigint
);
create index calendar_feed_by_provider on calendar_feed (provider_id);
