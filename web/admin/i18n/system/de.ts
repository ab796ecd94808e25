import type { Words } from '../messages.ts'

/** The words of the system, its backup and its checks. */
export const system: Pick<Words, 'system'> = {
  system: {
    title: 'System und Sicherung',
    text: 'Wie es dieser Installation geht, und was zu tun ist, wo etwas fehlt.',
    checks: 'Prüfungen',
    healthy: 'In Ordnung',
    unhealthy: 'Braucht Aufmerksamkeit',
    states: { ok: 'Gut', warn: 'Hinweis', fail: 'Fehler' },
    figures: 'Zahlen',
    version: 'Version',
    runtime: 'Laufzeit',
    since: 'Läuft seit',
    database: 'Datenbank',
    schema: 'Schema',
    databaseBytes: 'Größe der Datenbank',
    walBytes: 'Schreibprotokoll',
    freeBytes: 'Frei auf der Platte',
    feedLag: 'Rückstand des Feeds',
    seconds_one: '{{count}} Sekunde',
    seconds_other: '{{count}} Sekunden',
    waitingWrites: 'Wartende Schreibvorgänge',
    backup: 'Sicherung',
    backupText: 'Eine stimmige Kopie, im laufenden Betrieb. Bewahren Sie sie woanders auf.',
    backupDo: 'Sicherung erstellen',
  },
}
