-- Until when a node exchanges the authorization code of a sign-in; 0 when none does. Two nodes exchanged the same code, which
-- the calendar system refused the second time.
alter table calendar_account add column exchanging_until bigint not null default 0;
