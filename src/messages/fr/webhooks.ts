import type { webhooks as english } from '../en/webhooks.ts'
import type { Translation } from '../message.ts'

/** The messages about webhooks, and of the checks of the job queue in `daybook doctor`, in French. */
export const webhooks: Translation<typeof english> = {
  webhook_not_found: 'Aucun webhook n’a cet identifiant.',
  webhook_disabled: 'Ce webhook est désactivé. Activez-le d’abord.',
  webhook_limit: 'Un établissement a au plus {{count, number}} webhooks. Supprimez-en un d’abord.',
  webhook_events_unknown: 'Choisissez au moins un événement : un type comme reservation.created, ou reservation.*.',
  webhook_template_too_long: 'Un modèle a au plus {{count, number}} caractères.',
  webhook_template_wrong: 'Le modèle ne peut pas être évalué : {{text}}',
  webhook_url_wrong:
    'Indiquez une adresse qui commence par https:// et qui est accessible depuis internet. L’exploitant peut autoriser d’autres réseaux.',
  webhook_headers_wrong: 'Ces en-têtes ne peuvent pas être envoyés : {{names, list}}.',
  delivery_not_found: 'Aucune livraison n’a cet identifiant ; les livraisons sont conservées 30 jours.',
  check_outbound: 'envois',
  outbound_paused: 'Suspendus depuis une restauration ; reprenez-les dans l’administration, sous Réglages → Tâches.',
  check_jobs: 'tâches',
  jobs_parked: {
    one: '{{count, number}} tâche a échoué définitivement ; voir Réglages → Tâches dans l’administration.',
    other: '{{count, number}} tâches ont échoué définitivement ; voir Réglages → Tâches dans l’administration.',
  },
  check_webhooks: 'webhooks',
  webhooks_disabled:
    'Désactivés parce que le destinataire n’a pas répondu pendant cinq jours ou a répondu 410 : {{names, list}}.',
  webhooks_failing: 'Le destinataire ne répond pas comme il devrait : {{names, list}}.',
  webhooks_answer: { one: '{{count, number}} webhook, sans échec.', other: '{{count, number}} webhooks, sans échec.' },
}
