/** The messages of webhooks. */
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
} as const
