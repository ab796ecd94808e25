-- Until when a node exchanges the authorization code of a sign-in; 0 when none does. Two nodes exchanged the same code, which
-- the calendar system refused the second time.
alter table calendar_account add column exchanging_until bigint not null default 0;
-- When a calendar system was first asked to create the meeting that an event lacks. The attempts of the job were counted
-- instead, also those before the event could be written.
alter table calendar_event add column meeting_asked_at bigint not null default 0;
