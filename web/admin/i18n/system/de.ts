import type { Words } from '../messages.ts'

/** Texts of the system, its backup and its checks. */
export const system: Pick<Words, 'system'> = {
  system: {
    title: 'System und Sicherung',
    text: 'Der Zustand dieser Installation, und was bei Problemen zu tun ist.',
    checks: 'Prüfungen',
    healthy: 'In Ordnung',
    unhealthy: 'Erfordert Aufmerksamkeit',
    states: { ok: 'OK', warn: 'Warnung', fail: 'Fehler' },
    figures: 'Details',
    version: 'Version',
    runtime: 'Laufzeitumgebung',
    since: 'Läuft seit',
    database: 'Datenbank',
    schema: 'Schema',
    databaseBytes: 'Datenbankgröße',
    walBytes: 'Write-Ahead-Log',
    freeBytes: 'Freier Speicherplatz',
    feedLag: 'Verzögerung des Feeds',
    seconds_one: '{{count}} Sekunde',
    seconds_other: '{{count}} Sekunden',
    waitingWrites: 'Ausstehende Schreibvorgänge',
    backup: 'Sicherung',
    backupText: 'Eine konsistente Kopie, erstellt im laufenden Betrieb. Bewahren Sie sie an einem anderen Ort auf.',
    backupDo: 'Sicherung erstellen',
    backupAge: 'Alter der Sicherungen',
    backupAgeText: 'Ist eine Sicherung überfällig, erfahren es Administratoren per E-Mail und unter Heute.',
    backupAgeTools:
      'Ist eine Sicherung überfällig, erfahren es Administratoren per E-Mail und unter Heute. Von Sicherungen durch PostgreSQL erfährt der Dienst durch den Befehl „daybook backup record“.',
    lastBackup: 'Letzte Sicherung',
    overdueDays: 'Überfällig nach Tagen',
    overdueDaysHelp: 'Leer für nie.',
  },
}
