/** Texts of payments. */
export const payments = {
  payments: {
    text: 'Customers pay on the page of the processor, so card data never reaches this service.',
    processor: 'Stripe',
    none: 'No payment processor is connected. Services that are paid online cannot be paid on the booking page.',
    live: 'Live mode',
    test: 'Test mode',
    testText: 'The keys are for testing: no real money moves.',
    account: 'Connected to {{name}}.',
    checking: 'The keys are being checked…',
    faults: {
      unauthorized: 'Stripe does not accept the secret key.',
      unavailable: 'Stripe could not be reached.',
      refused: 'Stripe refused the request.',
      no_key: 'The keys cannot be decrypted, because the encryption key of this service is missing or has changed.',
      other: 'Stripe did not accept the keys.',
    },
    secretKey: 'Secret key',
    secretKeyHelp: 'From Developers, API keys, in the Stripe dashboard. Begins with sk_ or rk_.',
    webhookSecret: 'Webhook signing secret',
    webhookSecretHelp:
      'From the webhook endpoint in the Stripe dashboard. Begins with whsec_. The previous secret keeps working.',
    kept: 'A key is stored. Leave empty to keep it.',
    connect: 'Connect',
    replace: 'Replace keys',
    saved: 'The keys are stored and are being checked.',
    check: 'Check keys',
    disconnect: 'Disconnect',
    disconnectText:
      'Services that are paid online can then no longer be paid on the booking page. Payments so far stay in the books.',
    webhook: 'Events',
    webhookText:
      'Create a webhook endpoint in the Stripe dashboard with this URL and the events checkout.session.completed, checkout.session.expired, payment_intent.succeeded, refund.updated and refund.failed.',
    lastEvent: 'Last event: {{date}}.',
    noEvent: 'No event has been received yet.',
    missing:
      'Payments arrive but their events do not. Bookings are confirmed when customers return, and otherwise up to 30 minutes later. Check the endpoint.',
  },
}
