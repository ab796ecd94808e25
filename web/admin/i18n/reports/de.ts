import type { PanelTexts } from '../messages.ts'

/** Panel texts in German: the reports. */
export const reports: Pick<PanelTexts, 'reports'> = {
  reports: {
    title: 'Berichte',
    text: 'Nach dem Datum, an dem eine Buchung beginnt, in der Zeitzone des Betriebs ({{zone}}).',
    by: 'Aufteilen nach',
    period: 'Zeitraum',
    periods: {
      last30: 'Letzte 30 Tage',
      thisMonth: 'Dieser Monat',
      lastMonth: 'Letzter Monat',
      thisYear: 'Dieses Jahr',
      lastYear: 'Letztes Jahr',
      other: 'Andere Daten',
    },
    dimensions: {
      provider: 'Anbieter',
      service: 'Leistung',
      weekday: 'Wochentag',
      hour: 'Stunde',
      month: 'Monat',
    },
    noShows: 'Nicht erschienen',
    noShowsText: '{{share}} der erfassten Besuche',
    newCustomers: 'Neue Kunden',
    returning_one: '{{count}} wiederkehrender',
    returning_other: '{{count}} wiederkehrende',
    before: '{{value}} im Zeitraum davor',
    previous: 'Zeitraum davor',
    income: 'Einnahmen',
    incomeText: 'Gezahlt abzüglich Erstattungen, nach Zahlungsdatum',
    incomeOf: 'Einnahmen in {{currency}}',
    payments: 'Zahlungen ansehen',
    table: 'Zahlen',
    csv: 'Als CSV herunterladen',
    empty: 'Keine Buchungen in diesem Zeitraum.',
  },
}
