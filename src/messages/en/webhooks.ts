/** The messages about webhooks, and of the checks of the job queue in `daybook doctor`, in English. */
export const webhooks = {
  webhook_not_found: 'There is no webhook with this id.',
  webhook_disabled: 'This webhook is disabled. Enable it first.',
  webhook_limit: 'A site has at most {{count, number}} webhooks. Remove one first.',
  webhook_events_unknown: 'Choose at least one event: a type such as reservation.created, or reservation.*.',
  webhook_template_too_long: 'A template has at most {{count, number}} characters.',
  webhook_template_wrong: 'The template cannot be rendered: {{text}}',
  webhook_url_wrong:
    'Enter an address that begins with https:// and is reachable from the internet. The operator can allow other networks.',
  webhook_headers_wrong: 'These headers cannot be sent: {{names, list}}.',
  delivery_not_found: 'There is no delivery with this id; deliveries are kept for 30 days.',
  check_outbound: 'outbound work',
  outbound_paused: 'Paused since a restore; resume it in the panel, under Settings → Jobs.',
  check_jobs: 'jobs',
  jobs_parked: {
    one: '{{count, number}} job has failed for good; see Settings → Jobs in the panel.',
    other: '{{count, number}} jobs have failed for good; see Settings → Jobs in the panel.',
  },
  check_webhooks: 'webhooks',
  webhooks_disabled: 'Disabled because the receiver did not answer for five days, or answered 410: {{names, list}}.',
  webhooks_failing: 'The receiver does not answer as it should: {{names, list}}.',
  webhooks_answer: {
    one: '{{count, number}} webhook, without a failure.',
    other: '{{count, number}} webhooks, without a failure.',
  },
} as const
