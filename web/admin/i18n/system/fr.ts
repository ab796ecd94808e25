import type { PanelTexts } from '../messages.ts'

/** Panel texts in French: the state of the system, its backups and its health checks. */
export const system: Pick<PanelTexts, 'system'> = {
  system: {
    title: 'Système et sauvegarde',
    text: 'L’état de cette installation, et que faire en cas de problème.',
    checks: 'Contrôles',
    healthy: 'En bon état',
    unhealthy: 'À vérifier',
    states: { ok: 'OK', warn: 'Avertissement', fail: 'Erreur' },
    figures: 'Détails',
    version: 'Version',
    runtime: 'Environnement d’exécution',
    since: 'En service depuis',
    database: 'Base de données',
    schema: 'Schéma',
    databaseBytes: 'Taille de la base de données',
    walBytes: 'Journal d’écriture',
    freeBytes: 'Espace disque libre',
    feedLag: 'Retard du flux',
    seconds_one: '{{count}} seconde',
    seconds_other: '{{count}} secondes',
    waitingWrites: 'Écritures en attente',
    nodes: 'Nœuds',
    nodesText:
      'Les processus qui servent le site. Un nœud arrêté disparaît aussitôt, un nœud interrompu après une heure.',
    node: 'Nœud',
    lastReport: 'Dernier signalement',
    lag: 'Retard',
    clockDrift: 'Écart d’horloge',
    outOfSync: 'Horloge fausse',
    lost: 'Perdu',
    ago_one: 'il y a {{count}} seconde',
    ago_other: 'il y a {{count}} secondes',
    backup: 'Sauvegarde',
    backupText: 'Une copie cohérente, faite pendant que le service fonctionne. Conservez-la ailleurs.',
    backupDo: 'Créer une sauvegarde',
    backupAge: 'Âge des sauvegardes',
    backupAgeText:
      'Quand une sauvegarde est en retard, les administrateurs l’apprennent par e-mail et sous Aujourd’hui.',
    backupAgeTools:
      'Quand une sauvegarde est en retard, les administrateurs l’apprennent par e-mail et sous Aujourd’hui. Le service connaît les sauvegardes de PostgreSQL par la commande « daybook record-backup ».',
    lastBackup: 'Dernière sauvegarde',
    overdueDays: 'En retard après (jours)',
    overdueDaysHelp: 'Vide pour jamais.',
  },
}
