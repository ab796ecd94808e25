-- The panel polls the list of jobs, which sorted the whole queue; both indexes have the order of its pages.
create index job_by_time on job (run_at, id);
drop index job_state;
create index job_state on job (state, run_at, id);
