-- Ended busy times of calendars are deleted every few minutes, and ratings are averaged over a period.
create index busy_of_calendars on busy (end_at) where calendar_id is not null;
create index rating_by_time on rating (created_at);
-- Without statistics, SQLite preferred the index on the state and the time of all kinds to the partial index.
drop index job_due;
create index job_due on job (kind, state, run_at);
