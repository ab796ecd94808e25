import type { webhooks as english } from '../en/webhooks.ts'
import type { Translation } from '../message.ts'

/** The messages about webhooks, and of the checks of the job queue in `daybook doctor`, in German. */
export const webhooks: Translation<typeof english> = {
  webhook_not_found: 'Kein Webhook hat diese Kennung.',
  webhook_disabled: 'Dieser Webhook ist abgeschaltet. Schalten Sie ihn zuerst ein.',
  webhook_limit: 'Ein Betrieb hat höchstens {{count, number}} Webhooks. Entfernen Sie zuerst einen.',
  webhook_events_unknown: 'Wählen Sie mindestens ein Ereignis: eine Art wie reservation.created, oder reservation.*.',
  webhook_template_too_long: 'Eine Vorlage hat höchstens {{count, number}} Zeichen.',
  webhook_template_wrong: 'Die Vorlage lässt sich nicht auswerten: {{text}}',
  webhook_url_wrong:
    'Geben Sie eine Adresse an, die mit https:// beginnt und aus dem Internet erreichbar ist. Andere Netze kann der Betreiber erlauben.',
  webhook_headers_wrong: 'Diese Kopfzeilen können nicht gesendet werden: {{names, list}}.',
  delivery_not_found: 'Keine Zustellung hat diese Kennung; Zustellungen werden 30 Tage aufbewahrt.',
  check_outbound: 'ausgehende Arbeit',
  outbound_paused:
    'Seit einer Wiederherstellung angehalten; fortsetzen in der Verwaltung unter Einstellungen → Aufgaben.',
  check_jobs: 'Aufgaben',
  jobs_parked: {
    one: '{{count, number}} Aufgabe ist endgültig fehlgeschlagen; siehe Einstellungen → Aufgaben in der Verwaltung.',
    other:
      '{{count, number}} Aufgaben sind endgültig fehlgeschlagen; siehe Einstellungen → Aufgaben in der Verwaltung.',
  },
  check_webhooks: 'Webhooks',
  webhooks_disabled:
    'Abgeschaltet, weil der Empfänger fünf Tage lang nicht geantwortet oder mit 410 geantwortet hat: {{names, list}}.',
  webhooks_failing: 'Der Empfänger antwortet nicht, wie er sollte: {{names, list}}.',
  webhooks_answer: {
    one: '{{count, number}} Webhook, ohne Fehler.',
    other: '{{count, number}} Webhooks, ohne Fehler.',
  },
}
