import type { PanelTexts } from '../messages.ts'

/** Panel texts in German: the calendar's options and menus, its printed lists, and the keyboard shortcuts. */
export const desk: Pick<PanelTexts, 'calendarView' | 'shortcuts'> = {
  calendarView: {
    options: 'Ansicht anpassen',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    closedHours: 'Geschlossene Stunden zeigen',
    colours: 'Farben',
    colourBy: { service: 'Nach Leistung', provider: 'Nach Anbieter' },
    dragging: 'Ziehen über freie Zeit',
    dragTo: { book: 'Buchen', time_off: 'Abwesenheit eintragen' },
    print: 'Drucken',
    seats: '{{count}} von {{capacity}}',
    addSeat: 'Teilnehmer hinzufügen',
    bookAt: 'Neue Buchung um {{time}}',
    timeOffAt: 'Abwesenheit ab {{time}}',
    more: '{{count}} weitere',
    noReservations: 'Keine Buchungen.',
    time: 'Zeit',
    monthOf:
      'Daten und Zeiten in der Zeitzone des Betriebs ({{zone}}). Wählen Sie einen Tag, um seinen Kalender zu öffnen.',
  },
  shortcuts: {
    title: 'Tastenkürzel',
    groups: { everywhere: 'Überall', calendar: 'Kalender', cards: 'Buchung im Kalender' },
    keys: {
      search: 'Suche und Befehle',
      book: 'Neue Buchung',
      sheet: 'Diese Liste zeigen',
      close: 'Dialog oder Menü schließen',
      beside: 'Vorheriger oder nächster Tag, Woche oder Monat',
      today: 'Heute',
      views: 'Tag, Woche, Monat',
      zoom: 'Vergrößern, verkleinern, normale Größe',
      closedHours: 'Geschlossene Stunden zeigen oder ausblenden',
      colours: 'Farben nach Leistung oder nach Anbieter',
      print: 'Tagesliste oder Woche drucken',
      open: 'Öffnen',
      move: 'Verschieben',
      stretch: 'Ende ändern',
      drop: 'Neue Zeit bestätigen',
    },
  },
}
