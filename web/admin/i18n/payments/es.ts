/** Textos de los pagos. */
export const payments = {
  payments: {
    text: 'Los clientes pagan en la página del procesador; los datos de la tarjeta nunca llegan a este servicio.',
    processor: 'Stripe',
    none: 'No hay ningún procesador de pagos conectado. Los servicios que se pagan en línea no se pueden pagar en la página de reservas.',
    live: 'Modo real',
    test: 'Modo de prueba',
    testText: 'Las claves son de prueba: no se mueve dinero real.',
    account: 'Conectado con {{name}}.',
    checking: 'Se están comprobando las claves…',
    faults: {
      unauthorized: 'Stripe no acepta la clave secreta.',
      unavailable: 'No se pudo contactar con Stripe.',
      refused: 'Stripe rechazó la solicitud.',
      no_key: 'Las claves no se pueden descifrar, porque la clave de cifrado de este servicio falta o ha cambiado.',
      other: 'Stripe no aceptó las claves.',
    },
    secretKey: 'Clave secreta',
    secretKeyHelp: 'En el panel de Stripe, en Desarrolladores, Claves de API. Empieza por sk_ o rk_.',
    webhookSecret: 'Secreto de firma del webhook',
    webhookSecretHelp:
      'En el punto de conexión del webhook del panel de Stripe. Empieza por whsec_. El anterior sigue valiendo.',
    kept: 'Hay una clave guardada. Déjelo vacío para conservarla.',
    connect: 'Conectar',
    replace: 'Sustituir claves',
    saved: 'Las claves se han guardado y se están comprobando.',
    check: 'Comprobar claves',
    disconnect: 'Desconectar',
    disconnectText:
      'Los servicios que se pagan en línea ya no se podrán pagar en la página de reservas. Los pagos anteriores permanecen en los libros.',
    webhook: 'Eventos',
    webhookText:
      'Cree en el panel de Stripe un punto de conexión de webhook con esta URL y los eventos checkout.session.completed, checkout.session.expired, payment_intent.succeeded, refund.updated y refund.failed.',
    lastEvent: 'Último evento: {{date}}.',
    noEvent: 'Aún no se ha recibido ningún evento.',
    missing:
      'Llegan pagos, pero no sus eventos. Las reservas se confirman cuando el cliente vuelve y, si no, hasta 30 minutos después. Compruebe el punto de conexión.',
  },
}
