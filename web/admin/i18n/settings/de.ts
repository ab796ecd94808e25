import type { Words } from '../messages.ts'

/** Texts of the site’s policies. */
export const settings: Pick<Words, 'policies'> = {
  policies: {
    title: 'Regeln und Feiertage',
    text: 'Regeln, die für den ganzen Betrieb gelten.',
    removal: 'Buchungen, die gelöscht werden dürfen',
    removalHelp: 'Stornieren ist immer möglich. Eine gelöschte Buchung verschwindet aus den Listen.',
    removals: {
      any: 'Alle',
      cancelled: 'Stornierte',
      cancelled_or_past: 'Stornierte oder vergangene',
      never: 'Keine',
    },
    listFullSlots: 'Ausgebuchte Termine anzeigen',
    listFullSlotsHelp: 'Termine ohne freien Platz werden angezeigt und als ausgebucht gekennzeichnet.',
    importTitle: 'Gesetzliche Feiertage hinzufügen',
    country: 'Land',
    state: 'Bundesland oder Kanton',
    region: 'Region',
    years: 'Jahre',
    yearsCount_one: '{{count}} Jahr',
    yearsCount_other: '{{count}} Jahre',
    importNone: 'Keine Feiertage gefunden.',
    importText: 'Wählen Sie die Tage, an denen geschlossen ist. Gespeichert werden sie mit „Speichern“.',
    importAdd_one: '{{count}} Tag hinzufügen',
    importAdd_other: '{{count}} Tage hinzufügen',
    importAll: 'Alle',
    importKnown: 'Schon vorhanden',
    cancelReasons: 'Gründe für Stornierungen',
    cancelReasonsHelp:
      'Einer pro Zeile; Mitarbeitende wählen daraus oder schreiben einen anderen. Leer: die Liste im Feld.',
    reasonsTooMany: 'Höchstens 20 Gründe.',
    reasonTooLong: 'Ein Grund hat höchstens 100 Zeichen.',
    calendars: 'Verbundene Kalender',
    calendarPoll: 'Lesen alle (Minuten)',
    calendarPollHelp: 'Wie oft verbundene Kalender gelesen werden.',
    calendarMaxAge: 'Nicht angeboten nach (Minuten)',
    calendarMaxAgeHelp:
      'Konnte ein verbundener Kalender so lange nicht gelesen werden, wird sein Anbieter nicht angeboten.',
    holidays: 'Feiertage',
    holidaysText:
      'An diesen Tagen ist der ganze Betrieb geschlossen, sofern ein Anbieter keine abweichenden Zeiten hat.',
    holiday: 'Feiertag',
    from: 'Erster Tag',
    to: 'Letzter Tag',
    name: 'Name',
    addHoliday: 'Feiertag hinzufügen',
    dateMissing: 'Wählen Sie ein Datum.',
    datesSwapped: 'Der letzte Tag darf nicht vor dem ersten liegen.',
  },
}
