-- The UID that the calendar system gave an event instead of `uid`: Google and Microsoft choose their own, which the calendar
-- file of the same calendar contains. Google derives it from the id of the event.
alter table calendar_event add column assigned_uid text not null default '';
update calendar_event set assigned_uid = item || '@google.com'
  where etag <> '' and account_id in (select id from calendar_account where kind = 'google');
create index calendar_event_by_assigned_uid on calendar_event (assigned_uid);
