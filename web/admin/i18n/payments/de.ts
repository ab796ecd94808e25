/** Texte der Zahlungen. */
export const payments = {
  payments: {
    text: 'Ihre Kundschaft zahlt auf der Seite des Zahlungsanbieters; Kartendaten erreichen diesen Dienst nie.',
    processor: 'Stripe',
    none: 'Es ist kein Zahlungsanbieter verbunden. Online zu zahlende Leistungen können auf der Buchungsseite nicht bezahlt werden.',
    live: 'Echtbetrieb',
    test: 'Testbetrieb',
    testText: 'Die Schlüssel dienen zum Testen: Es fließt kein echtes Geld.',
    account: 'Verbunden mit {{name}}.',
    checking: 'Die Schlüssel werden geprüft …',
    faults: {
      unauthorized: 'Stripe akzeptiert den geheimen Schlüssel nicht.',
      unavailable: 'Stripe war nicht erreichbar.',
      refused: 'Stripe hat die Anfrage abgelehnt.',
      no_key:
        'Die Schlüssel lassen sich nicht entschlüsseln, weil der Verschlüsselungsschlüssel dieses Dienstes fehlt oder geändert wurde.',
      other: 'Stripe hat die Schlüssel nicht akzeptiert.',
    },
    secretKey: 'Geheimer Schlüssel',
    secretKeyHelp: 'Im Stripe-Dashboard unter Entwickler, API-Schlüssel. Beginnt mit sk_ oder rk_.',
    webhookSecret: 'Signaturgeheimnis des Webhooks',
    webhookSecretHelp: 'Beim Webhook-Endpunkt im Stripe-Dashboard. Beginnt mit whsec_. Das bisherige gilt weiter.',
    kept: 'Ein Schlüssel ist gespeichert. Leer lassen, um ihn zu behalten.',
    connect: 'Verbinden',
    replace: 'Schlüssel ersetzen',
    saved: 'Die Schlüssel sind gespeichert und werden geprüft.',
    check: 'Schlüssel prüfen',
    disconnect: 'Trennen',
    disconnectText:
      'Online zu zahlende Leistungen können dann auf der Buchungsseite nicht mehr bezahlt werden. Bisherige Zahlungen bleiben in den Büchern.',
    webhook: 'Ereignisse',
    webhookText:
      'Legen Sie im Stripe-Dashboard einen Webhook-Endpunkt mit dieser URL und den Ereignissen checkout.session.completed, checkout.session.expired, payment_intent.succeeded, refund.updated und refund.failed an.',
    lastEvent: 'Letztes Ereignis: {{date}}.',
    noEvent: 'Noch kein Ereignis eingegangen.',
    missing:
      'Zahlungen kommen an, ihre Ereignisse nicht. Buchungen werden bei der Rückkehr bestätigt, sonst bis zu 30 Minuten später. Prüfen Sie den Endpunkt.',
  },
}
