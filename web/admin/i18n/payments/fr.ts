/** Textes des paiements. */
export const payments = {
  payments: {
    text: 'Les clients paient sur la page du prestataire ; les données de carte n’atteignent jamais ce service.',
    processor: 'Stripe',
    none: 'Aucun prestataire de paiement n’est connecté. Les prestations payées en ligne ne peuvent pas l’être sur la page de réservation.',
    live: 'Mode réel',
    test: 'Mode test',
    testText: 'Les clés servent aux tests : aucun argent réel ne circule.',
    account: 'Connecté à {{name}}.',
    checking: 'Les clés sont en cours de vérification…',
    faults: {
      unauthorized: 'Stripe n’accepte pas la clé secrète.',
      unavailable: 'Stripe n’a pas pu être joint.',
      refused: 'Stripe a refusé la requête.',
      no_key: 'Les clés ne peuvent pas être déchiffrées, car la clé de chiffrement de ce service manque ou a changé.',
      other: 'Stripe n’a pas accepté les clés.',
    },
    secretKey: 'Clé secrète',
    secretKeyHelp: 'Dans le tableau de bord Stripe, sous Développeurs, Clés API. Commence par sk_ ou rk_.',
    webhookSecret: 'Secret de signature du webhook',
    webhookSecretHelp:
      'Au point de terminaison du webhook dans le tableau de bord Stripe. Commence par whsec_. L’ancien reste valable.',
    kept: 'Une clé est enregistrée. Laissez vide pour la conserver.',
    connect: 'Connecter',
    replace: 'Remplacer les clés',
    saved: 'Les clés sont enregistrées et en cours de vérification.',
    check: 'Vérifier les clés',
    disconnect: 'Déconnecter',
    disconnectText:
      'Les prestations payées en ligne ne pourront plus l’être sur la page de réservation. Les paiements passés restent dans les livres.',
    webhook: 'Événements',
    webhookText:
      'Créez dans le tableau de bord Stripe un point de terminaison de webhook avec cette URL et les événements checkout.session.completed, checkout.session.expired, payment_intent.succeeded, refund.updated et refund.failed.',
    lastEvent: 'Dernier événement : {{date}}.',
    noEvent: 'Aucun événement reçu pour l’instant.',
    missing:
      'Des paiements arrivent, mais pas leurs événements. Les réservations sont confirmées au retour du client, sinon jusqu’à 30 minutes plus tard. Vérifiez le point de terminaison.',
  },
}
