import type { Words } from '../messages.ts'

/** The words of the system, its backup and its checks. */
export const system: Pick<Words, 'system'> = {
  system: {
    title: 'Système et sauvegarde',
    text: 'Comment va cette installation, et que faire là où quelque chose ne va pas.',
    checks: 'Contrôles',
    healthy: 'Bien',
    unhealthy: 'Demande de l’attention',
    states: { ok: 'Bien', warn: 'Remarque', fail: 'Défaut' },
    figures: 'Chiffres',
    version: 'Version',
    runtime: 'Environnement',
    since: 'En marche depuis',
    database: 'Base de données',
    schema: 'Schéma',
    databaseBytes: 'Taille de la base',
    walBytes: 'Journal d’écriture',
    freeBytes: 'Libre sur le disque',
    feedLag: 'Retard du flux',
    seconds_one: '{{count}} seconde',
    seconds_other: '{{count}} secondes',
    waitingWrites: 'Écritures en attente',
    backup: 'Sauvegarde',
    backupText: 'Une copie cohérente, faite pendant que le service tourne. Gardez-la ailleurs.',
    backupDo: 'Faire une sauvegarde',
  },
}
