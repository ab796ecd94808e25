/** One row of the table `job`: a background job that is due, running or parked (waiting until a user retries it). */
export interface JobTable {
  id: string
  kind: string
  unique_key: string
  lane: string
  /** The payload of the job, which its handler receives, as JSON. */
  payload: string
  state: string
  run_at: number
  every: number | null
  attempts: number
  revision: number
  lease_owner: string | null
  lease_until: number | null
  started_at: number | null
  last_error: string | null
  created_at: number
}

/** One row of the table `webhook_endpoint`: a receiver of webhooks. */
export interface WebhookEndpointTable {
  id: string
  url: string
  description: string
  /** JSON: the subscriptions: event types, kinds of events such as `reservation.*`, or `*` for all events. */
  events: string
  /** The extra headers of requests to the endpoint: encrypted JSON. */
  headers: string
  template: string | null
  payload_version: string
  /** The encrypted secret with which requests to the endpoint are signed. */
  secret: string
  previous_secret: string | null
  previous_until: number | null
  enabled: number
  disabled_because: string | null
  disabled_at: number | null
  failing_since: number | null
  /**
   * The value of `failing_since` at which administrators were last notified of the failures; null when they never were.
   */
  reported_since: number | null
  last_success_at: number | null
  created_at: number
  updated_at: number
}

/** One row of the table `webhook_delivery`: an event to deliver to one endpoint. */
export interface WebhookDeliveryTable {
  id: string
  endpoint_id: string
  event_id: string
  seq: string
  type: string
  object_id: string
  /** The event as JSON when the event log does not contain it; null for an event of the log. */
  payload: string | null
  state: string
  attempts: number
  next_at: number | null
  last_status: number | null
  last_error: string | null
  created_at: number
  finished_at: number | null
}

/** One row of the table `webhook_attempt`: one attempt to deliver an event. */
export interface WebhookAttemptTable {
  id: string
  delivery_id: string
  created_at: number
  milliseconds: number
  status: number | null
  error: string | null
  request_headers: string
  response_headers: string
  response: string | null
}

/**
 * One row of the table `event_consumer`: the position in the event log (`tx`, `n`) up to which a consumer has read it.
 */
export interface EventConsumerTable {
  name: string
  tx: number
  n: number
}

/** One row of the table `node`: a process that serves the site on PostgreSQL. */
export interface NodeTable {
  id: string
  name: string
  version: string
  started_at: number
  /** The time of the node's last heartbeat, by the database's clock. */
  seen_at: number
  lag_ms: number
  /** The difference between its machine's clock and the database's; null if it is not measured. */
  clock_drift_ms: number | null
}
