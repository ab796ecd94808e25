/** One figure that the service gives at `/metrics`. */
export interface Metric {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  /** What it counts, in half a sentence. */
  readonly says: string
  /** When to look, and what to do. */
  readonly look: string
}

/** Every figure, once: the answer of `/metrics` and the page about it are both made from this table. */
export const table = {
  requests: {
    name: 'daybook_http_requests_total',
    type: 'counter',
    labels: ['route', 'method', 'status'],
    says: 'Requests, by route, method and class of status; "gone" when the client left before the answer.',
    look: 'Alarm on `5xx`. A rise of `4xx` is an integration that changed: the log has the code of each refusal.',
  },
  seconds: {
    name: 'daybook_http_request_seconds',
    type: 'histogram',
    labels: ['route', 'method'],
    says: 'Time from the head of a request to the end of its answer.',
    look: 'When it grows, see whether the loop is late, writes wait or the disk is slow.',
  },
  inFlight: {
    name: 'daybook_http_requests_in_flight',
    type: 'gauge',
    labels: [],
    says: 'Requests being worked on now.',
    look: 'Near `--max-requests` the service is about to turn requests away.',
  },
  connections: {
    name: 'daybook_http_connections',
    type: 'gauge',
    labels: [],
    says: 'Open connections.',
    look: 'Thousands from few clients are an attack, or a proxy that is not named by `--trust-proxy`.',
  },
  queued: {
    name: 'daybook_http_send_queue_bytes',
    type: 'gauge',
    labels: [],
    says: 'Bytes of responses that wait to be sent, at most 128 MiB.',
    look: 'When it stays high, clients ask for much and read slowly.',
  },
  shed: {
    name: 'daybook_http_requests_shed_total',
    type: 'counter',
    labels: [],
    says: 'Requests answered 503 because too many were there already, or because their turn came too late.',
    look: 'Alarm when it grows for minutes: find the caller that asks too much, or grow.',
  },
  loopDelay: {
    name: 'daybook_event_loop_delay_seconds',
    type: 'gauge',
    labels: ['quantile'],
    says: 'How late the event loop came to its work since the last look, at most (1) and for the shares 0.5 and 0.99.',
    look: 'Above 0.1 at 0.99 answers are slow for everybody: too little processor, or one costly question.',
  },
  batchSize: {
    name: 'daybook_commit_batch_writes',
    type: 'histogram',
    labels: [],
    says: 'Writes in one commit; its count is the number of commits.',
    look: 'Always near 256 means that writes come faster than the disk takes them.',
  },
  batchSeconds: {
    name: 'daybook_commit_batch_seconds',
    type: 'histogram',
    labels: [],
    says: 'Time one commit took, with the checks of its writes.',
    look: 'Above 0.1 the disk is slow to sync: no network file system, no other heavy writer.',
  },
  waiting: {
    name: 'daybook_writes_waiting',
    type: 'gauge',
    labels: [],
    says: 'Writes sent and not yet answered.',
    look: 'Alarm when it stays above 100. From 4096 on, the embedded database answers 503.',
  },
  streams: {
    name: 'daybook_streams_open',
    type: 'gauge',
    labels: [],
    says: 'Long lists being read now, or waiting to be.',
    look: 'When it stays high, clients read slowly or too often; let them read the feed or pages.',
  },
  feedLag: {
    name: 'daybook_feed_lag_seconds',
    type: 'gauge',
    labels: [],
    says: 'Age of the oldest change that the feed cannot show yet; always 0 on the embedded database.',
    look: 'Alarm above 60: a transaction in PostgreSQL stays open (`pg_stat_activity` by `xact_start`); end it.',
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
    says: '1 when the database answered this look, else 0.',
    look: 'Alarm on 0. Figures that only the database knows are left out meanwhile.',
  },
  databaseSize: {
    name: 'daybook_database_bytes',
    type: 'gauge',
    labels: [],
    says: 'Size of the database.',
    look: 'Compare with the free disk.',
  },
  walSize: {
    name: 'daybook_wal_bytes',
    type: 'gauge',
    labels: [],
    says: "Size of the embedded database's write-ahead file.",
    look: 'Alarm above 256 MB: something reads without end, such as a copy being made of the file by another program.',
  },
  diskFree: {
    name: 'daybook_disk_free_bytes',
    type: 'gauge',
    labels: [],
    says: 'Free disk where the data directory is.',
    look: 'Alarm below 1 GB. On a full disk writes are answered 503 and reads go on; after making room nothing else is needed.',
  },
  tokenFlush: {
    name: 'daybook_token_uses_written_timestamp_seconds',
    type: 'gauge',
    labels: [],
    says: 'When the uses of tokens were last written down, in Unix seconds.',
    look: 'Alarm when it is over five minutes old: writes fail, the log says why.',
  },
  clockDrift: {
    name: 'daybook_clock_drift_seconds',
    type: 'gauge',
    labels: [],
    says: "Seconds by which the machine's clock was apart from the database's when they were last compared.",
    look: 'Alarm above 1. Above 2 the node is not ready: set both clocks by a time server.',
  },
  displaced: {
    name: 'daybook_reservations_displaced',
    type: 'gauge',
    labels: [],
    says: 'Coming reservations that are not at the wall time they were booked for, as the rules of their zone changed.',
    look: 'Alarm above 0: `daybook doctor` names them. Move them, or tell the customers.',
  },
  memory: {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    labels: [],
    says: 'Memory of the process.',
    look: 'A steady rise over days is a defect: report it.',
  },
  heap: {
    name: 'nodejs_heap_size_used_bytes',
    type: 'gauge',
    labels: [],
    says: "JavaScript's share of it, on the main thread.",
    look: 'As above.',
  },
  processor: {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    labels: [],
    says: 'Processor time used, all threads together.',
    look: 'A rate near 1 is one full core: the service answers on one and writes on another.',
  },
  started: {
    name: 'process_start_time_seconds',
    type: 'gauge',
    labels: [],
    says: 'When the process started, in Unix seconds.',
    look: 'A change that nobody made is a crash: see the log before it.',
  },
  build: {
    name: 'daybook_build_info',
    type: 'gauge',
    labels: ['version', 'node', 'database', 'zones'],
    says: 'Always 1; its labels name the versions of Daybook, Node, the database and the zone data.',
    look: 'Zone data from before last year: opening hours may be off by an hour where rules changed. Update Daybook.',
  },
} as const satisfies Readonly<Record<string, Metric>>
