import { type Metric, table } from './table.ts'

const introduction = `# What each metric and alarm means

Made from \`src/metrics/table.ts\`.

\`GET /metrics\` answers in Prometheus' text format, on the service's own port. It names nobody and holds no
identifiers: routes, counts, sizes and times.

## Who may look
- Programs on the same machine, asking the service itself by a name of the machine's own (\`http://127.0.0.1:8080/metrics\`).
- With \`DAYBOOK_METRICS_TOKEN\` set (16 characters or more): whoever sends it as \`Authorization: Bearer …\`, from
  anywhere, and nobody else.

Everybody else gets 404, as if there were no such route. A request that a proxy passed on is not from the same machine,
and is known by the headers that proxies add or by the host it names. A proxy that adds none and names the service by
its own address (nginx without \`proxy_set_header\`) looks like a program on this machine: set a token, or let the proxy
refuse the path:

\`\`\`text
location = /metrics { return 404; }
\`\`\`

To collect the figures with Prometheus:

\`\`\`yaml
scrape_configs:
  - job_name: daybook
    authorization: { credentials_file: /etc/prometheus/daybook-token }   # where a token is set
    static_configs: [{ targets: ["127.0.0.1:8080"] }]
\`\`\`

## The figures
`

const alarms = `
## Alarms to begin with
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
      - { alert: DaybookTokenUsesUnwritten, expr: 'time() - daybook_token_uses_written_timestamp_seconds > 300' }
\`\`\`
`

/** The page about the figures, for people. */
export function metricsPage(): string {
  return introduction + Object.values(table).map(entry).join('') + alarms
}

function entry({ name, type, labels, says, look }: Metric): string {
  const by = labels.length > 0 ? `, by ${labels.map((label) => `\`${label}\``).join(', ')}` : ''
  return `\n### \`${name}\`\n${says} (${type}${by})\n\n${look}\n`
}
