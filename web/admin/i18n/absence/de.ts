import type { Words } from '../messages.ts'

/** Texts of the screen that plans the absence of a provider. */
export const absence: Pick<Words, 'absence'> = {
  absence: {
    title: 'Abwesenheit planen',
    text: 'Die Abwesenheit eines Anbieters eintragen und die betroffenen Buchungen verschieben. Zeiten in {{zone}}.',
    from: 'Erster Tag',
    to: 'Letzter Tag',
    choose: 'Wählen Sie den Anbieter, der abwesend ist.',
    record: 'Abwesenheit eintragen',
    recorded: '{{name}} ist als abwesend eingetragen: keine neuen Buchungen in dieser Zeit.',
    notRecorded:
      '{{name}} kann in dieser Zeit noch gebucht werden. Tragen Sie die Abwesenheit ein, um neue Buchungen zu verhindern.',
    affected: 'Betroffene Buchungen',
    none: 'Keine kommende Buchung ist betroffen.',
    more: 'Nur die ersten hundert werden angezeigt. Die nächsten erscheinen, wenn diese verschoben sind.',
    acceptAll_one: '{{count}} Vorschlag annehmen',
    acceptAll_other: '{{count}} Vorschläge annehmen',
    accept: 'Annehmen',
    suggestion: 'Vorschlag für {{name}}',
    sameTime: 'Gleiche Zeit',
    otherTimes: 'Andere Zeiten',
    with: '{{time}}, {{name}}',
    noSuggestion: 'Keine freie Zeit gefunden. Verschieben oder stornieren Sie über das Menü.',
    replaced: 'Es gibt einen neuen Vorschlag.',
    progress: 'Wird verschoben: {{done}} von {{all}}',
    moved_one: '{{count}} Buchung verschoben.',
    moved_other: '{{count}} Buchungen verschoben.',
    movedBack_one: '{{count}} Buchung zurückverschoben.',
    movedBack_other: '{{count}} Buchungen zurückverschoben.',
    doneTitle: 'Erledigt',
    doneText:
      'Machen Sie eine Änderung oder alle rückgängig. Kunden, die benachrichtigt wurden, werden erneut benachrichtigt.',
    undoAll: 'Alles rückgängig machen',
  },
}
