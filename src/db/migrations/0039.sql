-- The settings of the booking page (JSON). A site that has services keeps its door closed until somebody opens it.
create table booking_page (
  id text primary key check (id = 'site'),
  body text not null
);
insert into booking_page (id, body) select 'site', '{"enabled":false}' where exists (select 1 from service);

-- How one service appears on the booking page (JSON); without a row the defaults apply.
create table service_page (
  service_id text primary key,
  body text not null
);

-- The addresses of services on the booking page: the newest is current, the others redirect to it.
create table service_slug (
  slug text primary key,
  service_id text not null,
  ordinal bigint not null
);
create index service_slug_service on service_slug (service_id, ordinal);

-- How many visitors took each step, by day and service; contains nothing about a visitor.
create table booking_step_count (
  day text not null,
  service_id text not null,
  step text not null check (step in ('viewed', 'chose_time', 'started_form', 'booked')),
  source text not null,
  count integer not null,
  primary key (day, service_id, step, source)
);

-- A customer's rating of a visit.
create table rating (
  reservation_id text primary key,
  score integer not null check (score between 1 and 5),
  comment text not null,
  created_at bigint not null
);
