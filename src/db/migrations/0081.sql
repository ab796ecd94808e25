-- Reservations that staff keep although they break rules since a change: the rules, the slot for which they are kept, by
-- whom and when.
create table kept_conflict (
  reservation_id text primary key references reservation (id) on delete cascade,
  slot text not null,
  rules text not null,
  person_id text not null,
  kept_at bigint not null
);
