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

Gracias por su solicitud. {{ site.name }} le responderá en breve.`,
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
    subject: 'Su reserva para el {{ start_date }} no se completó',
    body: `Hola, {{ customer.name }}:

Su reserva de {{ service.name }} el {{ start }} no se completó, así que la hora vuelve a estar libre. No se ha cobrado nada. Puede reservar de nuevo.`,
  },
  payment_returned: {
    subject: 'Le devolvemos su pago para el {{ start_date }}',
    body: `Hola, {{ customer.name }}:

Su pago de {{ service.name }} el {{ start }} llegó cuando la reserva ya no estaba en pie. Le devolvemos el importe completo y puede reservar otra hora.`,
  },
  card_returned: {
    subject: 'Su tarjeta para el {{ start_date }} se guardó demasiado tarde',
    body: `Hola, {{ customer.name }}:

Su tarjeta para {{ service.name }} el {{ start }} se guardó cuando la reserva ya no existía. Hemos eliminado la tarjeta y no se ha cobrado nada. Puede reservar otra hora.`,
  },
  fee_charged: {
    subject: 'Cargo por ausencia del {{ start_date }}: {{ fee }}',
    body: `Hola, {{ customer.name }}:

No acudió a {{ service.name }} el {{ start }}. Según lo acordado al reservar, hemos cobrado {{ fee }} en su tarjeta.`,
  },
  fee_requested: {
    subject: 'Pague el cargo por ausencia del {{ start_date }}: {{ fee }}',
    body: `Hola, {{ customer.name }}:

No acudió a {{ service.name }} el {{ start }}. Según lo acordado al reservar, debe un cargo por ausencia: {{ fee }}. No se pudo cobrar en su tarjeta. Pague con el enlace siguiente, que es válido durante 23 horas.`,
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
  agenda: {
    subject: 'Sus citas del {{ date }}: {{ count }}',
    body: `Sus citas del {{ date }}:`,
  },
  bookings_link: {
    subject: 'Sus reservas en {{ site.name }}',
    body: `Vea y cambie sus reservas en {{ site.name }} con este enlace, que sirve una vez y durante una hora:

Si no lo ha pedido, ignore este mensaje.`,
  },
  invitation: {
    subject: 'Su cuenta en {{ site.name }}',
    body: `Se ha creado una cuenta para usted en {{ site.name }}. Establezca su contraseña con este enlace, que funciona una sola vez y durante una hora:

Si el enlace ha caducado, pida uno nuevo a su administrador.`,
  },
  password_reset: {
    subject: 'Restablecer su contraseña en {{ site.name }}',
    body: `Establezca una contraseña nueva con este enlace, que funciona una sola vez y durante una hora:

Si no lo ha solicitado, ignore este mensaje; su contraseña no cambia.`,
  },
  password_changed: {
    subject: 'Se ha cambiado su contraseña en {{ site.name }}',
    body: `Se ha cambiado la contraseña de su cuenta. Si no ha sido usted, avise enseguida a su administrador.`,
  },
  second_factor_changed: {
    subject: 'Han cambiado los segundos factores de su cuenta en {{ site.name }}',
    body: `Se ha cambiado una aplicación de autenticación, una llave de acceso o los códigos de recuperación de su cuenta. Si no ha sido usted, avise enseguida a su administrador.`,
  },
  new_sign_in: {
    subject: 'Nuevo inicio de sesión en su cuenta en {{ site.name }}',
    body: `Se ha iniciado sesión en su cuenta con un navegador que no se había usado antes: {{ detail }}. Si no ha sido usted, establezca una contraseña nueva y cierre la sesión en su perfil, y avise a su administrador.`,
  },
  webhook_disabled: {
    subject: 'Se ha desactivado un webhook de {{ site.name }}',
    body: `El webhook {{ detail }} se ha desactivado porque sus entregas fallaron durante cinco días o su receptor ya no existe. Los eventos se conservan: actívelo de nuevo en el panel y repítalos.`,
  },
  webhook_failing: {
    subject: 'Un webhook de {{ site.name }} está fallando',
    body: `El webhook {{ detail }} no ha tenido ninguna entrega correcta desde hace un día. Las entregas se repiten; tras cinco días sin éxito se desactiva. El registro de entregas del panel indica la causa.`,
  },
  backup_overdue: {
    subject: 'Una copia de seguridad de {{ site.name }} está atrasada',
    body: `No se ha completado ninguna copia de seguridad de {{ site.name }} en el plazo fijado. Última copia: {{ detail }}. Haga una en el panel, en Ajustes → Sistema y copias, y compruebe el temporizador que las hace.`,
  },
  payment_disputed: {
    subject: 'Se ha disputado un pago a {{ site.name }}',
    body: `Un cliente ha disputado ante su banco un pago de {{ detail }}. El banco ha retirado el dinero o pide una explicación. Responda en el panel de Stripe antes de la fecha que indica; sin respuesta, la disputa se pierde. La reserva no cambia.`,
  },
  dispute_decided: {
    subject: 'Se ha resuelto la disputa de un pago a {{ site.name }}',
    body: `El banco ha decidido sobre el pago disputado de {{ detail }}. El resultado figura junto al pago en el panel; los libros están al día.`,
  },
  payments_differ: {
    subject: 'Los libros de {{ site.name }} no coinciden con el procesador de pagos',
    body: `La comparación nocturna de los libros con el procesador de pagos ha encontrado diferencias, que seguían ahí al comparar de nuevo. Número de diferencias: {{ detail }}. Figuran en el panel, en Ajustes → Pagos: revise cada una en el panel de Stripe y márquela como resuelta.`,
  },
}

/** The fixed texts of messages in Spanish. */
export const esWords: MessageWords = {
  when: 'Cuándo',
  service: 'Servicio',
  provider: 'Con',
  meeting: 'En línea en',
  customer: 'Cliente',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  timesIn: 'Las horas corresponden a la zona horaria {zone}.',
  unsubscribe: 'No recibir más recordatorios ni mensajes posteriores a la cita',
  manage: 'Ver, cambiar o cancelar esta cita',
  receipt: 'Recibo',
  verify: 'Confirmar mi reserva',
  pay: 'Pagar ahora',
  pending: 'pendiente de aprobación',
  panel: 'Abrir en el panel',
}
