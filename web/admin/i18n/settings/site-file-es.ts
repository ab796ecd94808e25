import type { Words } from '../messages.ts'

/** Texts of the site file. */
export const siteFile: Pick<Words, 'siteFile'> = {
  siteFile: {
    title: 'Archivo del centro',
    text: 'Todo el centro en un archivo, para guardarlo, revisarlo o trasladarlo.',
    export: 'Exportar',
    exportText: 'Configuración del centro, servicios y profesionales. No incluye secretos.',
    withCustomers: 'Incluir clientes',
    withReservations: 'Incluir reservas y sus clientes',
    import: 'Importar',
    importText:
      'Primero verá qué cambiaría. Al aplicar el archivo no se elimina nada, y se aplica entero o no se aplica.',
    file: 'Archivo',
    choose: 'Elegir un archivo',
    faults: 'Errores del archivo',
    apply: 'Aplicar',
    applied: 'Archivo del centro aplicado.',
    nothing: 'Este archivo no cambiaría nada.',
    site: 'Configuración del centro',
    parts: { services: 'Servicios', providers: 'Profesionales', customers: 'Clientes', reservations: 'Reservas' },
    added: '{{count}} añadidos',
    changed: '{{count}} modificados',
  },
}
