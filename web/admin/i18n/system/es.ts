import type { Words } from '../messages.ts'

/** The words of the system, its backup and its checks. */
export const system: Pick<Words, 'system'> = {
  system: {
    title: 'Sistema y copias',
    text: 'Cómo está esta instalación, y qué hacer donde algo falla.',
    checks: 'Comprobaciones',
    healthy: 'Bien',
    unhealthy: 'Necesita atención',
    states: { ok: 'Bien', warn: 'Aviso', fail: 'Fallo' },
    figures: 'Cifras',
    version: 'Versión',
    runtime: 'Entorno',
    since: 'En marcha desde',
    database: 'Base de datos',
    schema: 'Esquema',
    databaseBytes: 'Tamaño de la base de datos',
    walBytes: 'Registro de escritura',
    freeBytes: 'Libre en el disco',
    feedLag: 'Retraso del feed',
    seconds_one: '{{count}} segundo',
    seconds_other: '{{count}} segundos',
    waitingWrites: 'Escrituras en espera',
    backup: 'Copia de seguridad',
    backupText: 'Una copia coherente, hecha mientras el servicio funciona. Guárdela en otro lugar.',
    backupDo: 'Hacer una copia',
  },
}
