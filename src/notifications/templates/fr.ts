import type { MessageWords, Templates } from './template.ts'

/** The default templates in French. */
export const fr: Templates = {
  verify_email: {
    subject: 'Veuillez confirmer votre réservation : {{ service.name }}, {{ start_date }}',
    body: `Bonjour {{ customer.name }},

Veuillez confirmer votre réservation avec le lien ci-dessous. L’horaire vous est réservé jusqu’au {{ deadline }} ; il redevient libre ensuite.

Si vous n’avez pas réservé, ignorez ce message : il ne se passera rien d’autre.`,
  },
  request_received: {
    subject: 'Nous avons reçu votre demande : {{ service.name }}, {{ start_date }}',
    body: `Bonjour {{ customer.name }},

Merci de votre demande. {{ site.name }} la confirmera sous peu ; d’ici là, l’horaire vous est réservé.`,
  },
  confirmed: {
    subject: 'Confirmé : {{ service.name }}, {{ start_date }} à {{ start_time }}',
    body: `Bonjour {{ customer.name }},

Votre rendez-vous est confirmé. Au plaisir de vous accueillir.`,
  },
  declined: {
    subject: 'Votre demande pour le {{ start_date }} n’a pas pu être confirmée',
    body: `Bonjour {{ customer.name }},

Nous ne pouvons malheureusement pas vous proposer {{ service.name }} le {{ start }}. Veuillez choisir un autre horaire.`,
  },
  payment_expired: {
    subject: 'Votre réservation du {{ start_date }} n’a pas été payée',
    body: `Bonjour {{ customer.name }},

{{ service.name }} le {{ start }} n’a pas été payé ; l’horaire est donc de nouveau libre. Rien n’a été débité. Vous pouvez réserver à nouveau.`,
  },
  payment_returned: {
    subject: 'Votre paiement pour le {{ start_date }} vous est restitué',
    body: `Bonjour {{ customer.name }},

votre paiement pour {{ service.name }} le {{ start }} est arrivé alors que la réservation n’existait plus. Le montant total vous est restitué et vous pouvez réserver un autre horaire.`,
  },
  rescheduled: {
    subject: 'Nouvel horaire : {{ service.name }}, {{ start_date }} à {{ start_time }}',
    body: `Bonjour {{ customer.name }},

Votre rendez-vous{% if previous_start != "" %} du {{ previous_start }}{% endif %} a été déplacé au {{ start }}.`,
  },
  cancelled: {
    subject: 'Annulé : {{ service.name }}, {{ start_date }}',
    body: `Bonjour {{ customer.name }},

Votre rendez-vous du {{ start }} a été annulé.`,
  },
  reminder: {
    subject: 'Rappel : {{ service.name }}, {{ start_date }} à {{ start_time }}',
    body: `Bonjour {{ customer.name }},

Nous vous rappelons votre rendez-vous du {{ start }}. En cas d’empêchement, merci de nous prévenir au plus tôt.`,
  },
  follow_up: {
    subject: 'Merci de votre visite',
    body: `Bonjour {{ customer.name }},

Merci de votre visite du {{ start_date }}. Nous serions heureux de vous revoir.`,
  },
  provider_new: {
    subject: 'Nouvelle réservation : {{ customer.name }}, {{ start_date }} à {{ start_time }}',
    body: `{{ customer.name }} a réservé {{ service.name }} avec vous : {{ start }}.`,
  },
  provider_changed: {
    subject: 'Réservation modifiée : {{ customer.name }}, {{ start_date }} à {{ start_time }}',
    body: `Le rendez-vous de {{ customer.name }}{% if previous_start != "" %} du {{ previous_start }}{% endif %} a été déplacé au {{ start }}.`,
  },
  provider_cancelled: {
    subject: 'Annulé : {{ customer.name }}, {{ start_date }} à {{ start_time }}',
    body: `Le rendez-vous de {{ customer.name }} du {{ start }} n’a plus lieu avec vous.`,
  },
  staff_approval: {
    subject: 'En attente de validation : {{ customer.name }}, {{ start_date }} à {{ start_time }}',
    body: `{{ customer.name }} a demandé {{ service.name }} avec {{ provider.name }} : {{ start }}. Confirmez ou refusez la demande dans l’administration.`,
  },
}

/** The fixed texts of messages in French. */
export const frWords: MessageWords = {
  when: 'Quand',
  service: 'Prestation',
  provider: 'Avec',
  customer: 'Client',
  email: 'E-mail',
  phone: 'Téléphone',
  timesIn: 'Les heures sont données dans le fuseau horaire {zone}.',
  unsubscribe: 'Ne plus recevoir de rappels ni de suivis',
  manage: 'Voir, déplacer ou annuler ce rendez-vous',
  verify: 'Confirmer ma réservation',
}
