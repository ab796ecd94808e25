import type { MessageWords, Templates } from './template.ts'

/** The default templates in Spanish. */
export const es: Templates = {
  verify_email: {
    subject: 'Confirme su reserva: {{ service.name }}, {{ start_date }}',
    body: `Hola, {{ customer.name }}:

Confirme su reserva con el enlace de abajo. Le guardamos la hora hasta el {{ deadline }}; después vuelve a estar libre.

Si no ha reservado, ignore este mensaje: no ocurrirá nada más.`,
  },
  request_received: {
    subject: 'Hemos recibido su solicitud: {{ service.name }}, {{ start_date }}',
    body: `Hola, {{ customer.name }}:

Gracias por su solicitud. {{ site.name }} la confirmará en breve; hasta entonces le reservamos la hora.`,
  },
  confirmed: {
    subject: 'Confirmada: {{ service.name }}, {{ start_date }} a las {{ start_time }}',
    body: `Hola, {{ customer.name }}:

Su cita está confirmada. Le esperamos.`,
  },
  declined: {
    subject: 'No hemos podido confirmar su solicitud para el {{ start_date }}',
    body: `Hola, {{ customer.name }}:

Lamentablemente no podemos ofrecerle {{ service.name }} el {{ start }}. Por favor, elija otra hora.`,
  },
  payment_expired: {
    subject: 'Su reserva para el {{ start_date }} no se pagó',
    body: `Hola, {{ customer.name }}:

{{ service.name }} el {{ start }} no se pagó, así que la hora vuelve a estar libre. No se ha cobrado nada. Puede reservar de nuevo.`,
  },
  payment_returned: {
    subject: 'Le devolvemos su pago para el {{ start_date }}',
    body: `Hola, {{ customer.name }}:

Su pago de {{ service.name }} el {{ start }} llegó cuando la reserva ya no estaba en pie. Le devolvemos el importe completo y puede reservar otra hora.`,
  },
  rescheduled: {
    subject: 'Nueva hora: {{ service.name }}, {{ start_date }} a las {{ start_time }}',
    body: `Hola, {{ customer.name }}:

Su cita{% if previous_start != "" %} del {{ previous_start }}{% endif %} se ha cambiado al {{ start }}.`,
  },
  cancelled: {
    subject: 'Cancelada: {{ service.name }}, {{ start_date }}',
    body: `Hola, {{ customer.name }}:

Su cita del {{ start }} se ha cancelado.`,
  },
  reminder: {
    subject: 'Recordatorio: {{ service.name }}, {{ start_date }} a las {{ start_time }}',
    body: `Hola, {{ customer.name }}:

Le recordamos su cita del {{ start }}. Si no puede venir, avísenos lo antes posible.`,
  },
  follow_up: {
    subject: 'Gracias por su visita',
    body: `Hola, {{ customer.name }}:

Gracias por su visita del {{ start_date }}. Estaremos encantados de volver a verle.`,
  },
  provider_new: {
    subject: 'Nueva reserva: {{ customer.name }}, {{ start_date }} a las {{ start_time }}',
    body: `{{ customer.name }} ha reservado {{ service.name }} con usted: {{ start }}.`,
  },
  provider_changed: {
    subject: 'Reserva modificada: {{ customer.name }}, {{ start_date }} a las {{ start_time }}',
    body: `La cita de {{ customer.name }}{% if previous_start != "" %} del {{ previous_start }}{% endif %} se ha cambiado al {{ start }}.`,
  },
  provider_cancelled: {
    subject: 'Cancelada: {{ customer.name }}, {{ start_date }} a las {{ start_time }}',
    body: `La cita de {{ customer.name }} del {{ start }} ya no tendrá lugar con usted.`,
  },
  staff_approval: {
    subject: 'Pendiente de aprobación: {{ customer.name }}, {{ start_date }} a las {{ start_time }}',
    body: `{{ customer.name }} ha solicitado {{ service.name }} con {{ provider.name }}: {{ start }}. Confirme o rechace la solicitud en el panel.`,
  },
}

/** The fixed texts of messages in Spanish. */
export const esWords: MessageWords = {
  when: 'Cuándo',
  service: 'Servicio',
  provider: 'Con',
  customer: 'Cliente',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  timesIn: 'Las horas corresponden a la zona horaria {zone}.',
  unsubscribe: 'No recibir más recordatorios ni seguimientos',
  manage: 'Ver, cambiar o cancelar esta cita',
  verify: 'Confirmar mi reserva',
}
