-- Whether the calendar system creates the meetings of online appointments together with their events.
alter table calendar_destination add column meetings integer not null default 0;
