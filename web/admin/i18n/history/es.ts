import type { Words } from '../messages.ts'

/** Texts of the history. */
export const history: Pick<Words, 'history'> = {
  history: {
    title: 'Historial',
    text: 'Quién cambió qué y cuándo, con los valores anteriores y posteriores.',
    when: 'Cuándo',
    who: 'Quién',
    what: 'Qué',
    object: 'Objeto',
    type: 'Tipo de cambio',
    anyType: 'Todos',
    objectId: 'Objeto',
    objectHint: 'Por ejemplo r_… o 7',
    actor: 'Por',
    actorHint: 'ID de un usuario o un token',
    empty: 'Todavía no hay cambios.',
    undo: 'Deshacer este cambio',
    undone: 'Deshecho: {{type}}, {{object}}.',
    isUndone: 'Deshecho',
    undid: 'Esta entrada deshizo un cambio anterior.',
    asks: {
      move: {
        title: '¿Devolver la reserva a su hora anterior?',
        text: 'La reserva vuelve a su hora anterior. La hora debe estar libre; no se aplican otras reglas.',
        action: 'Devolver',
      },
      cancel: {
        title: '¿Volver a cancelar la reserva?',
        text: 'La reserva estaba cancelada antes de este cambio. Se vuelve a cancelar y su hora queda libre para otros.',
        action: 'Cancelar reserva',
      },
      remove: {
        title: '¿Eliminar lo que se añadió?',
        text: 'Se elimina lo que añadió este cambio. El historial conserva los valores, pero la eliminación no se puede deshacer.',
        action: 'Eliminar',
      },
    },
    events: {
      reservation: {
        created: 'Reserva añadida',
        updated: 'Reserva modificada',
        rescheduled: 'Reserva cambiada de hora',
        pending: 'Reserva pendiente de nuevo',
        confirmed: 'Reserva confirmada',
        cancelled: 'Reserva cancelada',
        restored: 'Reserva restaurada',
        removed: 'Reserva eliminada',
        attendance: 'Asistencia registrada',
        zone_changed: 'Reserva afectada por un cambio de reglas horarias',
      },
      customer: {
        created: 'Cliente añadido',
        updated: 'Cliente modificado',
        removed: 'Cliente eliminado',
        merged: 'Clientes fusionados',
        erased: 'Datos del cliente borrados',
      },
      customer_note: {
        created: 'Nota añadida',
        removed: 'Nota eliminada',
      },
      sms_consent: {
        given: 'Mensajes cortos aceptados',
        withdrawn: 'Consentimiento a mensajes cortos retirado',
      },
      service: {
        created: 'Servicio añadido',
        updated: 'Servicio modificado',
        removed: 'Servicio eliminado',
      },
      provider: {
        created: 'Profesional añadido',
        updated: 'Profesional modificado',
        removed: 'Profesional eliminado',
      },
      time_off: {
        created: 'Ausencia añadida',
        updated: 'Ausencia modificada',
        removed: 'Ausencia eliminada',
      },
      host_user: {
        created: 'Usuario del sitio web añadido',
      },
      token: {
        created: 'Token de API creado',
        revoked: 'Token de API revocado',
      },
      calendar: {
        created: 'Calendario conectado',
        updated: 'Calendario conectado cambiado',
        removed: 'Calendario desconectado',
        feed_created: 'Dirección de calendario creada',
        feed_revoked: 'Dirección de calendario revocada',
      },
      webhook: {
        created: 'Webhook añadido',
        updated: 'Webhook modificado',
        removed: 'Webhook eliminado',
        secret_rotated: 'Secreto de un webhook sustituido',
        disabled: 'Webhook desactivado',
        failing: 'Webhook con fallos desde hace un día',
      },
      site: {
        updated: 'Ajustes del centro modificados',
        secret_rotated: 'Secreto de los identificadores sustituido',
        backup_overdue: 'Copia de seguridad atrasada',
      },
      payment: {
        paid: 'Pago recibido',
        expired: 'Pago caducado',
        returned: 'Pago tardío devuelto',
        refunded: 'Reembolso realizado',
        refund_failed: 'Reembolso fallido',
      },
      payment_settings: {
        updated: 'Ajustes de pagos modificados',
      },
      notification_settings: {
        updated: 'Ajustes de avisos modificados',
      },
      notification_template: {
        updated: 'Texto de un mensaje modificado',
      },
      booking_page: {
        updated: 'Ajustes de la página de reservas modificados',
        link_created: 'Enlace privado de reserva creado',
        link_revoked: 'Enlace privado de reserva revocado',
        deletion_requested: 'El cliente pidió borrar sus datos',
        deletion_declined: 'Solicitud de borrado rechazada',
        host_secret_set: 'Secreto del sitio anfitrión creado',
        host_secret_removed: 'Secreto del sitio anfitrión eliminado',
      },
      user: {
        created: 'Usuario añadido',
        updated: 'Usuario modificado',
        removed: 'Usuario eliminado',
        invited: 'Enlace de contraseña creado',
        password_set: 'Contraseña modificada',
        second_factor_changed: 'Segundo factor modificado',
        signed_in: 'Inicio de sesión',
        signed_out: 'Cierre de sesión',
      },
    },
    kinds: {
      token: 'mediante la API',
      command: 'por línea de comandos',
      worker: 'automáticamente',
      user: 'en el panel',
      customer: 'por el cliente',
    },
  },
}
