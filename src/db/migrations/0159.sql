-- Invitations that the owner of a calendar has not accepted no longer open time. Stored events do not say whether they were
-- accepted, so calendars with a rule for opening time are read completely again.
delete from calendar_item where calendar_id in (select id from connected_calendar where opening <> '');
update connected_calendar set content = '' where opening <> '';
