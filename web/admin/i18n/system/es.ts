import type { Words } from '../messages.ts'

/** Texts of the system, its backup and its checks. */
export const system: Pick<Words, 'system'> = {
  system: {
    title: 'Sistema y copias',
    text: 'El estado de esta instalación y qué hacer si hay problemas.',
    checks: 'Comprobaciones',
    healthy: 'Correcto',
    unhealthy: 'Requiere atención',
    states: { ok: 'OK', warn: 'Advertencia', fail: 'Error' },
    figures: 'Detalles',
    version: 'Versión',
    runtime: 'Entorno de ejecución',
    since: 'En funcionamiento desde',
    database: 'Base de datos',
    schema: 'Esquema',
    databaseBytes: 'Tamaño de la base de datos',
    walBytes: 'Registro de escritura',
    freeBytes: 'Espacio libre en disco',
    feedLag: 'Retraso del feed',
    seconds_one: '{{count}} segundo',
    seconds_other: '{{count}} segundos',
    waitingWrites: 'Escrituras pendientes',
    backup: 'Copia de seguridad',
    backupText: 'Una copia coherente, hecha con el servicio en funcionamiento. Guárdela en otro lugar.',
    backupDo: 'Crear copia de seguridad',
    backupAge: 'Antigüedad de las copias',
    backupAgeText: 'Si una copia se atrasa, los administradores lo saben por correo y en Hoy.',
    backupAgeTools:
      'Si una copia se atrasa, los administradores lo saben por correo y en Hoy. El servicio conoce las copias de PostgreSQL por el comando «daybook backup record».',
    lastBackup: 'Última copia',
    overdueDays: 'Atrasada tras días',
    overdueDaysHelp: 'Vacío para nunca.',
  },
}
