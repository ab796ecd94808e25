import type { PanelTexts } from '../messages.ts'

/** Panel texts in Spanish: short messages (SMS). */
export const sms: Pick<PanelTexts, 'sms'> = {
  sms: {
    sending: 'Mensajes cortos',
    text: 'SMS o mensajes de chat a clientes que los han aceptado, además del correo, a través de la interfaz HTTP de un proveedor.',
    enabled: 'Enviar mensajes cortos',
    sendingOff:
      'El envío está desactivado por completo, en Ajustes. Los mensajes cortos se envían cuando esté activado.',
    gateway: 'Pasarela',
    gatewayText:
      'Por cada mensaje se envía una petición. Su proveedor documenta la dirección, las credenciales y el cuerpo.',
    preset: 'Empezar con los ajustes de',
    presetHelp: 'Rellena los campos de abajo; sustituya las palabras en mayúsculas.',
    presetNone: 'Elegir un proveedor',
    url: 'Dirección',
    urlHelp: 'URL que recibe las peticiones; https.',
    method: 'Método',
    contentType: 'Tipo de contenido',
    sender: 'Remitente',
    senderHelp: 'El número o nombre que su proveedor ha registrado para usted.',
    user: 'Nombre de usuario',
    userHelp: 'Para la autenticación HTTP Basic; vacío si no se usa.',
    passwordHelp: 'Se guarda cifrada.',
    passwordKept: 'Hay una contraseña guardada. Introduzca otra solo para sustituirla.',
    headers: 'Cabeceras adicionales',
    headersHelp:
      'Una por línea, como Authorization: Bearer abc. Los valores se guardan cifrados y no se vuelven a mostrar.',
    headersKept: 'Guardadas: {{names}}. Lo que introduzca aquí las sustituye.',
    body: 'Cuerpo',
    bodyHelp:
      'Una plantilla Liquid con to, to_digits, sender, text, kind, locale, id y los marcadores de los textos. Con GET, la cadena de consulta.',
    refusals: 'Señales de un número incorrecto',
    refusalsHelp:
      'Un texto por línea. Si una respuesta contiene alguno, el número no puede recibir mensajes y no se le envían más.',
    kinds: 'Mensajes que se envían',
    kindsHelp: 'Los recordatorios siguen los plazos y las horas de silencio de los ajustes.',
    urlMissing: 'Introduzca la dirección.',
    bodyMissing: 'Introduzca el cuerpo.',
    placeholderLeft: 'Sustituya las palabras en mayúsculas por las de su cuenta.',
    test: 'Mensaje de prueba',
    testText: 'Envía un mensaje corto con los ajustes guardados, incluso con el envío desactivado.',
    testTo: 'Número de móvil',
    testToHelp: 'Con prefijo de país, como +34 612 345 678.',
    testSent: 'La pasarela ha aceptado el mensaje para {{to}}. Compruebe que llega.',
    consent: 'Mensajes cortos',
    agreed: 'Aceptados en {{number}}',
    agreedAt: 'desde el {{date}}',
    notAgreed: 'No aceptados.',
    agree: 'Registrar consentimiento',
    withdraw: 'Retirar consentimiento',
    agreeTitle: 'Consentimiento a mensajes cortos',
    agreeText:
      'Registre un consentimiento solo si el cliente lo ha dado. El historial conserva cuándo y quién lo registró.',
    number: 'Número de móvil',
    numberHelp: 'Con prefijo de país, como +34 612 345 678.',
    agreedDone: 'El consentimiento está registrado.',
    withdrawnDone: 'El consentimiento está retirado.',
    channel: 'Canal',
    channels: {
      email: 'Correo',
      sms: 'Mensaje corto',
    },
    length: '{{count}} caracteres; los proveedores cobran por partes de 160, o de 70 con caracteres especiales.',
    suppressedText: 'La pasarela rechazó el número el {{date}}: {{detail}}',
  },
}
