-- Which events of a connected calendar open time instead of blocking it, as JSON (see OpeningRule); empty for none.
alter table connected_calendar add column opening text not null default '';
-- JSON: the events that were to open time, and could not, with the reason.
alter table connected_calendar add column opening_faults text not null default '[]';

-- The time that the events of a calendar open. It belongs to the catalogue, as the hours of the week do.
create table calendar_opening (
  calendar_id text primary key,
  provider_id bigint not null,
  -- JSON, see CalendarOpening.
  openings text not null
);
create index calendar_opening_by_provider on calendar_opening (provider_id);
