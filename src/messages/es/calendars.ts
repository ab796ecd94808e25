import type { calendars as english } from '../en/calendars.ts'
import type { Translation } from '../message.ts'

/** The messages about connected calendars, calendar feeds and meeting links, in Spanish. */
export const calendars: Translation<typeof english> = {
  calendar_not_found: 'Este calendario no está conectado.',
  calendar_limit: 'Un profesional tiene como máximo {{count, number}} calendarios conectados. Desconecte uno primero.',
  calendar_account_limit:
    'Un profesional tiene como máximo {{count, number}} cuentas de calendario. Desconecte una primero.',
  calendar_app_missing: 'Primero un administrador introduce el ID y el secreto de cliente en los ajustes.',
  calendar_grant_expired: 'El inicio de sesión tardó demasiado o ya se usó. Empiece de nuevo.',
  feed_not_found: 'Ninguna dirección de calendario tiene este identificador.',
  feed_limit: 'Aquí puede haber como máximo {{count, number}} direcciones de calendario. Revoque una primero.',
  meeting_link_wrong: 'Introduzca una dirección https://. Marcadores: {reservation}, {service}.',
  calendar_url_wrong:
    'Introduzca la dirección de un calendario, que empiece por https:// o webcal:// y sea accesible desde internet. El operador puede permitir otras redes.',
  calendar_account_in_use:
    'Se usan calendarios de {{host}}. Conecte el otro servidor como una cuenta propia o desconecte primero estos.',
  slot_calendar_unread:
    'Un calendario conectado del profesional no se ha podido leer recientemente, o no se conoce con tanta antelación. Elija otra hora u otro profesional.',
  undo_calendar: 'Un calendario conectado se cambia en la ficha de su profesional.',
  calendar_fault_url_invalid: 'No es la dirección de un calendario.',
  calendar_fault_not_https: 'La dirección debe empezar por https://.',
  calendar_fault_address_not_public:
    'La dirección no está en el internet público. El operador puede permitir otras redes.',
  calendar_fault_name_not_resolved: 'No existe ningún servidor con este nombre.',
  calendar_fault_connection_failed: 'El servidor no responde.',
  calendar_fault_certificate_invalid: 'El certificado del servidor no es válido.',
  calendar_fault_timeout: 'El servidor ha tardado demasiado en responder.',
  calendar_fault_aborted: 'La lectura se interrumpió y se repetirá.',
  calendar_fault_sign_in_refused: 'El servidor deniega el acceso. Compruebe la dirección o la contraseña.',
  calendar_fault_access_ended: 'El servidor deniega el acceso. Vuelva a iniciar sesión en la cuenta.',
  calendar_fault_not_found: 'Ya no hay ningún calendario en esta dirección.',
  calendar_fault_server_error: 'El servidor indica un error ({{detail}}).',
  calendar_fault_too_many_redirects: 'El servidor redirige demasiadas veces.',
  calendar_fault_too_large: 'El calendario ocupa más de 50 MB.',
  calendar_fault_not_a_calendar: 'La dirección no lleva a un calendario, sino por ejemplo a una página.',
  calendar_fault_malformed: 'El archivo está incompleto o contradice el estándar.',
  calendar_fault_unknown_zone: 'Un evento está en una zona horaria desconocida: {{detail}}.',
  calendar_fault_too_many_events: 'El calendario tiene demasiados eventos o repeticiones.',
  calendar_fault_too_complex: 'Las repeticiones de un evento no se pudieron calcular a tiempo.',
  calendar_fault_no_key: 'La dirección no se puede descifrar: falta la clave, o DAYBOOK_SECRET_KEY es otra.',
  check_calendars: 'calendarios conectados',
  calendars_read: {
    one: '{{count, number}} calendario, leído recientemente.',
    other: '{{count, number}} calendarios, todos leídos recientemente.',
  },
  calendars_failing: {
    one: '{{count, number}} calendario no se pudo leer la última vez; vea Profesionales → Calendarios en el panel.',
    other:
      '{{count, number}} calendarios no se pudieron leer la última vez; vea Profesionales → Calendarios en el panel.',
  },
  calendars_too_old: {
    one: '{{count, number}} calendario lleva demasiado tiempo sin leerse, así que no se ofrece a su profesional; vea Profesionales → Calendarios en el panel.',
    other:
      '{{count, number}} calendarios llevan demasiado tiempo sin leerse, así que no se ofrece a sus profesionales; vea Profesionales → Calendarios en el panel.',
  },
  check_destinations: 'calendarios en los que se escriben reservas',
  destinations_written: {
    one: '{{count, number}} calendario, con todos los eventos escritos.',
    other: '{{count, number}} calendarios, con todos los eventos escritos.',
  },
  destinations_failing: {
    one: 'La última vez no se pudo escribir en {{count, number}} calendario; vea Profesionales → Calendarios en el panel.',
    other:
      'La última vez no se pudo escribir en {{count, number}} calendarios; vea Profesionales → Calendarios en el panel.',
  },
}
