-- Work that runs outside of requests: one row per unfinished job. A finished job is deleted; a schedule stays.
create table job (
  id text primary key,
  kind text not null,
  unique_key text not null,
  lane text not null,
  payload text not null,
  state text not null check (state in ('due', 'running', 'parked')),
  run_at bigint not null,
  -- Seconds between the runs of a schedule; null for a job that runs once.
  every bigint,
  attempts integer not null default 0,
  -- Increases when a job is replaced, so that a run in progress does not delete its successor.
  revision integer not null default 0,
  lease_owner text,
  lease_until bigint,
  started_at bigint,
  last_error text,
  created_at bigint not null,
  unique (kind, unique_key)
);
create index job_due on job (kind, run_at) where state = 'due';
create index job_running on job (lease_until) where state = 'running';
create index job_state on job (state, run_at);

-- Set by a restore: nothing leaves the site until an administrator confirms.
alter table site add column outbound_paused_at bigint;
