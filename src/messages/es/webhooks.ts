import type { webhooks as english } from '../en/webhooks.ts'
import type { Translation } from '../message.ts'

/** The messages about webhooks, and of the checks of the job queue in `daybook doctor`, in Spanish. */
export const webhooks: Translation<typeof english> = {
  webhook_not_found: 'Ningún webhook tiene este identificador.',
  webhook_disabled: 'Este webhook está desactivado. Actívelo primero.',
  webhook_limit: 'Un centro tiene como máximo {{count, number}} webhooks. Quite uno primero.',
  webhook_events_unknown: 'Elija al menos un evento: un tipo como reservation.created, o reservation.*.',
  webhook_template_too_long: 'Una plantilla tiene como máximo {{count, number}} caracteres.',
  webhook_template_wrong: 'La plantilla no se puede procesar: {{text}}',
  webhook_url_wrong:
    'Indique una dirección que empiece por https:// y sea accesible desde internet. El operador puede permitir otras redes.',
  webhook_headers_wrong: 'Estas cabeceras no se pueden enviar: {{names, list}}.',
  delivery_not_found: 'Ninguna entrega tiene este identificador; las entregas se guardan 30 días.',
  check_outbound: 'envíos',
  outbound_paused: 'En pausa desde una restauración; reanúdelos en el panel, en Ajustes → Tareas.',
  check_jobs: 'tareas',
  jobs_parked: {
    one: '{{count, number}} tarea ha fallado definitivamente; vea Ajustes → Tareas en el panel.',
    other: '{{count, number}} tareas han fallado definitivamente; vea Ajustes → Tareas en el panel.',
  },
  check_webhooks: 'webhooks',
  webhooks_disabled:
    'Desactivados porque el receptor no respondió durante cinco días o respondió 410: {{names, list}}.',
  webhooks_failing: 'El receptor no responde como debería: {{names, list}}.',
  webhooks_answer: { one: '{{count, number}} webhook, sin fallos.', other: '{{count, number}} webhooks, sin fallos.' },
}
