/** One metric of `/metrics`. */
export interface Metric {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  /** What the metric measures, as half a sentence. */
  readonly says: string
  /** When an operator should look at the metric, and what to do. */
  readonly look: string
}

/** Every metric; both the output of `/metrics` and its documentation are generated from this table. */
export const table = {
  requests: {
    name: 'daybook_http_requests_total',
    type: 'counter',
    labels: ['route', 'method', 'status'],
    says: 'Requests, by route, method and status class; "gone" when the client disconnected before the response.',
    look: 'Alert on `5xx`. A rise of `4xx` means that an integration changed: the log has the code of each refusal.',
  },
  seconds: {
    name: 'daybook_http_request_seconds',
    type: 'histogram',
    labels: ['route', 'method'],
    says: 'Time from the head of a request to the end of its response.',
    look: 'When it grows, check event-loop delay, waiting writes and the disk.',
  },
  inFlight: {
    name: 'daybook_http_requests_in_flight',
    type: 'gauge',
    labels: [],
    says: 'Requests in progress.',
    look: 'Near `--max-requests` the service is about to refuse requests.',
  },
  connections: {
    name: 'daybook_http_connections',
    type: 'gauge',
    labels: [],
    says: 'Open connections.',
    look: 'Thousands from few clients are an attack, or a proxy that is missing in `--trust-proxy`.',
  },
  queued: {
    name: 'daybook_http_send_queue_bytes',
    type: 'gauge',
    labels: [],
    says: 'Bytes of responses that wait to be sent, at most 128 MiB.',
    look: 'When it stays high, clients request large responses and read slowly.',
  },
  shed: {
    name: 'daybook_http_requests_shed_total',
    type: 'counter',
    labels: [],
    says: 'Requests refused with 503 by load shedding.',
    look: 'Alert when it grows for minutes: find the client that sends too many requests, or add capacity.',
  },
  loopDelay: {
    name: 'daybook_event_loop_delay_seconds',
    type: 'gauge',
    labels: ['quantile'],
    says: 'Event-loop delay since the last scrape: maximum (1) and quantiles 0.5 and 0.99.',
    look: 'Above 0.1 at 0.99 every response is slow: too little CPU, or one expensive query.',
  },
  batchSize: {
    name: 'daybook_commit_batch_writes',
    type: 'histogram',
    labels: [],
    says: 'Writes in one commit; its count is the number of commits.',
    look: 'Constantly near 256 means that writes arrive faster than the disk syncs.',
  },
  batchSeconds: {
    name: 'daybook_commit_batch_seconds',
    type: 'histogram',
    labels: [],
    says: 'Duration of one commit, with the operations in it.',
    look: 'Above 0.1 the disk syncs slowly: use a local file system without other heavy writers.',
  },
  waiting: {
    name: 'daybook_writes_waiting',
    type: 'gauge',
    labels: [],
    says: 'Writes sent to the writer and not yet answered.',
    look: 'Alert when it stays above 100. From 4096 on, the embedded database answers 503.',
  },
  streams: {
    name: 'daybook_streams_open',
    type: 'gauge',
    labels: [],
    says: 'Long lists being streamed or waiting to be.',
    look: 'When it stays high, clients read slowly or too often; have them use the feed or pages.',
  },
  feedLag: {
    name: 'daybook_feed_lag_seconds',
    type: 'gauge',
    labels: [],
    says: 'Age of the oldest event that the feed cannot return yet; always 0 on the embedded database.',
    look: 'Alert above 60: a transaction in PostgreSQL stays open (`pg_stat_activity` by `xact_start`); end it.',
  },
  invalidationAge: {
    name: 'daybook_invalidation_age_seconds',
    type: 'gauge',
    labels: [],
    says: 'Seconds since this node began its last look at what other nodes committed; 0 on the embedded database.',
    look: 'Alarm above 1: availability is computed for every request until the database answers in time again.',
  },
  databaseUp: {
    name: 'daybook_database_up',
    type: 'gauge',
    labels: [],
    says: '1 when the database responded to this scrape, otherwise 0.',
    look: 'Alert on 0. Metrics that need the database are omitted meanwhile.',
  },
  databaseSize: {
    name: 'daybook_database_bytes',
    type: 'gauge',
    labels: [],
    says: 'Size of the database.',
    look: 'Compare with the free disk space.',
  },
  walSize: {
    name: 'daybook_wal_bytes',
    type: 'gauge',
    labels: [],
    says: "Size of the embedded database's write-ahead log.",
    look: 'Alert above 256 MB: a long read keeps it, such as another program copying the file.',
  },
  diskFree: {
    name: 'daybook_disk_free_bytes',
    type: 'gauge',
    labels: [],
    says: 'Free disk space of the data directory.',
    look: 'Alert below 1 GB. On a full disk writes are answered 503 and reads continue; freeing space is enough to recover.',
  },
  tokenFlush: {
    name: 'daybook_token_uses_written_timestamp_seconds',
    type: 'gauge',
    labels: [],
    says: 'When uses of tokens were last stored, in Unix seconds.',
    look: 'Alert when it is over five minutes old: writes fail; see the log.',
  },
  clockDrift: {
    name: 'daybook_clock_drift_seconds',
    type: 'gauge',
    labels: [],
    says: "Difference between the machine's and the database's clock at the last comparison, in seconds.",
    look: 'Alert above 1. Above 2 the node is not ready: synchronise both clocks by NTP.',
  },
  displaced: {
    name: 'daybook_reservations_displaced',
    type: 'gauge',
    labels: [],
    says: 'Upcoming reservations that are displaced from their wall time by changed zone rules, on the node that last counted them.',
    look: 'Alert above 0: `daybook doctor` lists them. Move them, or tell the customers.',
  },
  jobsDue: {
    name: 'daybook_jobs_due',
    type: 'gauge',
    labels: [],
    says: 'Jobs that should run now and wait for a node.',
    look: 'When it grows for minutes, a receiver or a mail server is slow: see Jobs in the panel.',
  },
  jobsRunning: {
    name: 'daybook_jobs_running',
    type: 'gauge',
    labels: [],
    says: 'Jobs that run on any node.',
    look: 'Compare with the due ones.',
  },
  jobsParked: {
    name: 'daybook_jobs_parked',
    type: 'gauge',
    labels: [],
    says: 'Jobs that failed too often and wait for a decision.',
    look: 'Alert above 0: Jobs in the panel shows the last error, with retry and discard.',
  },
  jobsOldestDue: {
    name: 'daybook_jobs_oldest_due_seconds',
    type: 'gauge',
    labels: [],
    says: 'Seconds since the oldest due job should have run; 0 when none waits.',
    look: 'Alert above 300: jobs do not run. See the log; after a restore, resume outbound work in the panel.',
  },
  lastBackup: {
    name: 'daybook_last_backup_timestamp_seconds',
    type: 'gauge',
    labels: [],
    says: 'When the last backup succeeded, in Unix seconds; absent before the first.',
    look: 'Alert when it is older than your backups may be. `daybook backup record` sets it after `pg_dump`.',
  },
  memory: {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    labels: [],
    says: 'Resident memory of the process.',
    look: 'A continuous rise over days is a bug: report it.',
  },
  heap: {
    name: 'nodejs_heap_size_used_bytes',
    type: 'gauge',
    labels: [],
    says: 'JavaScript heap of the main thread.',
    look: 'As above.',
  },
  processor: {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    labels: [],
    says: 'CPU time of all threads.',
    look: 'A rate near 1 is one full core: the service answers on one and writes on another.',
  },
  started: {
    name: 'process_start_time_seconds',
    type: 'gauge',
    labels: [],
    says: 'When the process started, in Unix seconds.',
    look: 'An unexpected change is a crash: see the log before it.',
  },
  build: {
    name: 'daybook_build_info',
    type: 'gauge',
    labels: ['version', 'node', 'database', 'zones'],
    says: 'Always 1; its labels name the versions of Daybook, Node, the database and the zone data.',
    look: 'Zone data from before last year: opening hours may be off by an hour where rules changed. Update Daybook.',
  },
} as const satisfies Readonly<Record<string, Metric>>
