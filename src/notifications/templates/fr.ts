import type { MessageWords, Templates } from './template.ts'

/** The default templates in French. */
export const fr: Templates = {
  verify_email: {
    subject: 'Veuillez confirmer votre réservation : {{ service.name }}, {{ start_date }}',
    body: `Bonjour {{ customer.name }},

Veuillez confirmer votre réservation avec le lien ci-dessous. L’horaire vous est réservé jusqu’au {{ deadline }} ; il redevient libre ensuite.

Si vous n’avez pas réservé, ignorez ce message : il ne se passera rien d’autre.`,
  },
  request_received: {
    subject: 'Nous avons reçu votre demande : {{ service.name }}, {{ start_date }}',
    body: `Bonjour {{ customer.name }},

Merci de votre demande. {{ site.name }} vous répondra sous peu.`,
  },
  confirmed: {
    subject: 'Confirmé : {{ service.name }}, {{ start_date }} à {{ start_time }}',
    body: `Bonjour {{ customer.name }},

Votre rendez-vous est confirmé. Au plaisir de vous accueillir.`,
  },
  declined: {
    subject: 'Votre demande pour le {{ start_date }} n’a pas pu être confirmée',
    body: `Bonjour {{ customer.name }},

Nous ne pouvons malheureusement pas vous proposer {{ service.name }} le {{ start }}. Veuillez choisir un autre horaire.`,
  },
  payment_expired: {
    subject: 'Votre réservation du {{ start_date }} n’a pas été finalisée',
    body: `Bonjour {{ customer.name }},

Votre réservation de {{ service.name }} le {{ start }} n’a pas été finalisée ; l’horaire est donc de nouveau libre. Rien n’a été débité. Vous pouvez réserver à nouveau.`,
  },
  payment_returned: {
    subject: 'Votre paiement pour le {{ start_date }} vous est restitué',
    body: `Bonjour {{ customer.name }},

Votre paiement pour {{ service.name }} le {{ start }} est arrivé alors que la réservation n’existait plus. Le montant total vous est restitué et vous pouvez réserver un autre horaire.`,
  },
  card_returned: {
    subject: 'Votre carte pour le {{ start_date }} a été enregistrée trop tard',
    body: `Bonjour {{ customer.name }},

Votre carte pour {{ service.name }} le {{ start }} a été enregistrée alors que la réservation n’existait plus. Nous avons supprimé la carte et rien n’a été débité. Vous pouvez réserver un autre horaire.`,
  },
  fee_charged: {
    subject: 'Frais d’absence du {{ start_date }} : {{ fee }}',
    body: `Bonjour {{ customer.name }},

Vous avez manqué votre rendez-vous {{ service.name }} du {{ start }}. Comme convenu lors de la réservation, nous avons débité {{ fee }} de votre carte.`,
  },
  fee_requested: {
    subject: 'Merci de régler les frais d’absence du {{ start_date }} : {{ fee }}',
    body: `Bonjour {{ customer.name }},

Vous avez manqué votre rendez-vous {{ service.name }} du {{ start }}. Comme convenu lors de la réservation, des frais d’absence sont dus : {{ fee }}. Votre carte n’a pas pu être débitée. Merci de payer avec le lien ci-dessous, valable 23 heures.`,
  },
  rescheduled: {
    subject: 'Nouvel horaire : {{ service.name }}, {{ start_date }} à {{ start_time }}',
    body: `Bonjour {{ customer.name }},

Votre rendez-vous{% if previous_start != "" %} du {{ previous_start }}{% endif %} a été déplacé au {{ start }}.`,
  },
  cancelled: {
    subject: 'Annulé : {{ service.name }}, {{ start_date }}',
    body: `Bonjour {{ customer.name }},

Votre rendez-vous du {{ start }} a été annulé.`,
  },
  reminder: {
    subject: 'Rappel : {{ service.name }}, {{ start_date }} à {{ start_time }}',
    body: `Bonjour {{ customer.name }},

Nous vous rappelons votre rendez-vous du {{ start }}. En cas d’empêchement, merci de nous prévenir au plus tôt.`,
  },
  follow_up: {
    subject: 'Merci de votre visite',
    body: `Bonjour {{ customer.name }},

Merci de votre visite du {{ start_date }}. Nous serions heureux de vous revoir.`,
  },
  provider_new: {
    subject: 'Nouvelle réservation : {{ customer.name }}, {{ start_date }} à {{ start_time }}',
    body: `{{ customer.name }} a réservé {{ service.name }} avec vous : {{ start }}.`,
  },
  provider_changed: {
    subject: 'Réservation modifiée : {{ customer.name }}, {{ start_date }} à {{ start_time }}',
    body: `Le rendez-vous de {{ customer.name }}{% if previous_start != "" %} du {{ previous_start }}{% endif %} a été déplacé au {{ start }}.`,
  },
  provider_cancelled: {
    subject: 'Annulé : {{ customer.name }}, {{ start_date }} à {{ start_time }}',
    body: `Le rendez-vous de {{ customer.name }} du {{ start }} n’a plus lieu avec vous.`,
  },
  staff_approval: {
    subject: 'En attente de validation : {{ customer.name }}, {{ start_date }} à {{ start_time }}',
    body: `{{ customer.name }} a demandé {{ service.name }} avec {{ provider.name }} : {{ start }}. Confirmez ou refusez la demande dans l’administration.`,
  },
  agenda: {
    subject: 'Vos rendez-vous du {{ date }} : {{ count }}',
    body: `Vos rendez-vous du {{ date }} :`,
  },
  bookings_link: {
    subject: 'Vos réservations chez {{ site.name }}',
    body: `Consultez et modifiez vos réservations chez {{ site.name }} avec ce lien, valable une fois et pendant une heure :

Si vous ne l’avez pas demandé, ignorez ce message.`,
  },
  invitation: {
    subject: 'Votre compte chez {{ site.name }}',
    body: `Un compte a été créé pour vous chez {{ site.name }}. Définissez votre mot de passe avec ce lien, valable une seule fois et pendant une heure :

Si le lien a expiré, demandez-en un nouveau à votre administrateur.`,
  },
  password_reset: {
    subject: 'Réinitialiser votre mot de passe chez {{ site.name }}',
    body: `Définissez un nouveau mot de passe avec ce lien, valable une seule fois et pendant une heure :

Si vous n’avez rien demandé, ignorez ce message ; votre mot de passe reste inchangé.`,
  },
  password_changed: {
    subject: 'Votre mot de passe chez {{ site.name }} a été modifié',
    body: `Le mot de passe de votre compte a été modifié. Si ce n’était pas vous, prévenez immédiatement votre administrateur.`,
  },
  second_factor_changed: {
    subject: 'Les seconds facteurs de votre compte chez {{ site.name }} ont été modifiés',
    body: `Une application d’authentification, une clé d’accès ou des codes de secours de votre compte ont été modifiés. Si ce n’était pas vous, prévenez immédiatement votre administrateur.`,
  },
  new_sign_in: {
    subject: 'Nouvelle connexion à votre compte chez {{ site.name }}',
    body: `Une connexion à votre compte a eu lieu avec un navigateur jamais utilisé auparavant : {{ detail }}. Si ce n’était pas vous, définissez un nouveau mot de passe et mettez fin à la session dans votre profil, et prévenez votre administrateur.`,
  },
  webhook_disabled: {
    subject: 'Un webhook de {{ site.name }} a été désactivé',
    body: `Le webhook {{ detail }} a été désactivé, car ses livraisons ont échoué pendant cinq jours ou son destinataire n’existe plus. Les événements sont conservés : réactivez-le dans l’administration et rejouez-les.`,
  },
  webhook_failing: {
    subject: 'Un webhook de {{ site.name }} est en échec',
    body: `Le webhook {{ detail }} n’a eu aucune livraison réussie depuis un jour. Les livraisons sont répétées ; après cinq jours sans succès, il est désactivé. Le journal des livraisons dans l’administration en donne la raison.`,
  },
  backup_overdue: {
    subject: 'Une sauvegarde de {{ site.name }} est en retard',
    body: `Aucune sauvegarde de {{ site.name }} n’a abouti dans le délai fixé. Dernière sauvegarde : {{ detail }}. Faites-en une dans l’administration, sous Réglages → Système et sauvegarde, et vérifiez la tâche planifiée qui s’en charge.`,
  },
  payment_disputed: {
    subject: 'Un paiement à {{ site.name }} est contesté',
    body: `Un client a contesté un paiement de {{ detail }} auprès de sa banque. La banque a repris l’argent ou demande une explication. Répondez dans le tableau de bord Stripe avant la date indiquée ; sans réponse, le litige est perdu. La réservation ne change pas.`,
  },
  dispute_decided: {
    subject: 'Le litige sur un paiement à {{ site.name }} est tranché',
    body: `La banque s’est prononcée sur le paiement contesté de {{ detail }}. Le résultat figure auprès du paiement dans l’administration ; les livres sont à jour.`,
  },
  payments_differ: {
    subject: 'Les livres de {{ site.name }} ne concordent pas avec le prestataire de paiement',
    body: `La comparaison nocturne des livres avec le prestataire de paiement a trouvé des écarts, toujours présents à la seconde comparaison. Nombre d’écarts : {{ detail }}. L’administration les liste sous Réglages → Paiements : examinez chacun dans le tableau de bord Stripe, puis classez-le.`,
  },
}

/** The fixed texts of messages in French. */
export const frWords: MessageWords = {
  when: 'Quand',
  service: 'Prestation',
  provider: 'Avec',
  meeting: 'En ligne sur',
  customer: 'Client',
  email: 'E-mail',
  phone: 'Téléphone',
  timesIn: 'Les heures sont données dans le fuseau horaire {zone}.',
  unsubscribe: 'Ne plus recevoir de rappels ni de messages après le rendez-vous',
  manage: 'Voir, déplacer ou annuler ce rendez-vous',
  receipt: 'Reçu',
  verify: 'Confirmer ma réservation',
  pay: 'Payer maintenant',
  pending: 'en attente de validation',
  panel: 'Ouvrir dans l’administration',
}
