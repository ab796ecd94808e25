import { type Metric, table } from './table.ts'

const introduction = `# Metrics and alerts

<!-- Made by "npm run docs" from src/metrics/table.ts; edit it there. -->

\`GET /metrics\` answers in Prometheus' text format, on the service's own port. It contains routes, counts, sizes and times, and
no names or identifiers.

## Access
- Without a token: programs on the same machine that address the service by a loopback name
  (\`http://127.0.0.1:8080/metrics\`).
- With \`DAYBOOK_METRICS_TOKEN\` set (16 characters or more): requests from anywhere with \`Authorization: Bearer …\`, and no
  others.

All other requests get 404, as if the route did not exist. Requests through a proxy are recognised by forwarding headers
and by the host they name. A proxy that adds no header and addresses the service by a loopback name (nginx without
\`proxy_set_header\`) looks like a program on the same machine: set a token, or have the proxy refuse the path:

\`\`\`text
location = /metrics { return 404; }
\`\`\`

To scrape with Prometheus:

\`\`\`yaml
scrape_configs:
  - job_name: daybook
    authorization: { credentials_file: /etc/prometheus/daybook-token }   # if a token is set
    static_configs: [{ targets: ["127.0.0.1:8080"] }]
\`\`\`

## Metrics
`

const alarms = `
## Suggested alerts
\`\`\`yaml
groups:
  - name: daybook
    rules:
      - { alert: DaybookDown, expr: 'up{job="daybook"} == 0 or daybook_database_up == 0', for: 1m }
      - { alert: DaybookFaults, expr: 'sum(rate(daybook_http_requests_total{status="5xx"}[5m])) > 0.1', for: 5m }
      - { alert: DaybookOverloaded, expr: 'rate(daybook_http_requests_shed_total[5m]) > 0', for: 5m }
      - { alert: DaybookLate, expr: 'daybook_event_loop_delay_seconds{quantile="0.99"} > 0.1', for: 5m }
      - { alert: DaybookWritesWait, expr: 'daybook_writes_waiting > 100', for: 1m }
      - { alert: DaybookFeedBehind, expr: 'daybook_feed_lag_seconds > 60', for: 1m }
      - { alert: DaybookDiskFillsUp, expr: 'daybook_disk_free_bytes < 1e9' }
      - { alert: DaybookLogGrows, expr: 'daybook_wal_bytes > 256e6', for: 10m }
      - { alert: DaybookJobsFailed, expr: 'daybook_jobs_parked > 0', for: 5m }
      - { alert: DaybookJobsLate, expr: 'daybook_jobs_oldest_due_seconds > 300', for: 5m }
      - { alert: DaybookTokenUsesUnwritten, expr: 'time() - daybook_token_uses_written_timestamp_seconds > 300' }
\`\`\`
`

/** Returns the documentation of the metrics in Markdown. */
export function metricsPage(): string {
  return introduction + Object.values(table).map(entry).join('') + alarms
}

function entry({ name, type, labels, says, look }: Metric): string {
  const by = labels.length > 0 ? `, by ${labels.map((label) => `\`${label}\``).join(', ')}` : ''
  return `\n### \`${name}\`\n${says} (${type}${by})\n\n${look}\n`
}
