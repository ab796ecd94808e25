import type { Words } from '../messages.ts'

/** Texts of the site file. */
export const siteFile: Pick<Words, 'siteFile'> = {
  siteFile: {
    title: 'Betriebsdatei',
    text: 'Der ganze Betrieb in einer Datei, zum Aufbewahren, Prüfen oder Umziehen.',
    export: 'Exportieren',
    exportText: 'Einstellungen des Betriebs, Leistungen und Anbieter. Geheime Daten sind nicht enthalten.',
    withCustomers: 'Kunden einschließen',
    withReservations: 'Buchungen und deren Kunden einschließen',
    import: 'Importieren',
    importText:
      'Zuerst sehen Sie, was sich ändern würde. Beim Anwenden wird nichts entfernt, und die Datei wird ganz oder gar nicht übernommen.',
    file: 'Datei',
    choose: 'Datei wählen',
    faults: 'Fehler in der Datei',
    apply: 'Anwenden',
    applied: 'Betriebsdatei angewendet.',
    nothing: 'Diese Datei würde nichts ändern.',
    site: 'Einstellungen des Betriebs',
    parts: { services: 'Leistungen', providers: 'Anbieter', customers: 'Kunden', reservations: 'Buchungen' },
    added: '{{count}} hinzugefügt',
    changed: '{{count}} geändert',
  },
}
