-- The id of the entry that an entry undid: also where nothing is left to say it of, and found from that entry.
alter table event add column undid text;
create index event_by_undid on event (undid) where undid is not null;
