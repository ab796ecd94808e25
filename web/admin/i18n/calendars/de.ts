import type { Words } from '../messages.ts'

/** Texts of connected calendars. */
export const calendars: Pick<Words, 'calendars'> = {
  calendars: {
    title: 'Kalender',
    text: 'Termine verbundener Kalender sperren Buchungen. Kalender werden alle {{poll}} Minuten gelesen; nach {{maxAge}} Minuten ohne Erfolg wird der Anbieter nicht angeboten.',
    empty:
      'Kein Kalender ist verbunden. Verbinden Sie einen privaten oder beruflichen Kalender, damit dessen Termine Buchungen sperren.',
    connect: 'Kalender verbinden',
    connectTitle: 'Einen Kalender verbinden',
    editTitle: '{{name}} ändern',
    connected_one: '{{name}} ist verbunden und sperrt {{count}} Zeit.',
    connected_other: '{{name}} ist verbunden und sperrt {{count}} Zeiten.',
    states: {
      ok: 'Verbunden',
      failing: 'Nicht lesbar',
      too_old: 'Zu alt: nicht angeboten',
      new: 'Wird gelesen',
    },
    fault: 'Zuletzt:',
    tooOldText: 'Ohne aktuelle Daten wird keine Zeit angeboten, weil unsicher ist, ob sie frei ist.',
    lastRead: 'Gelesen:',
    nextRead: 'nächstes Mal:',
    blocks_one: '{{count}} belegte Zeit bis',
    blocks_other: '{{count}} belegte Zeiten bis',
    actionsFor: 'Aktionen für {{name}}',
    readNow: 'Jetzt lesen',
    syncing: '{{name}} wird gelesen.',
    removeTitle: '{{name}} trennen?',
    removeText: 'Seine Termine sperren keine Buchungen mehr. Um ihn wieder zu verbinden, brauchen Sie seine Adresse.',
    removed: '{{name}} ist getrennt.',
    name: 'Name',
    nameHint: 'Um Ihre Kalender zu unterscheiden, etwa „Privat“',
    nameMissing: 'Geben Sie einen Namen ein.',
    address: 'Adresse',
    addressHint:
      'Die geheime Adresse des Kalenders im iCal-Format (ICS) aus den Einstellungen Ihres Kalenderprogramms. Gelesen werden nur Zeiten, keine Titel.',
    addressKept: 'Leer lassen, um die Adresse bei {{host}} zu behalten.',
    addressMissing: 'Geben Sie die Adresse des Kalenders ein.',
    blocking: 'Welche Termine außer den belegten sperren',
    blockingHint: 'Termine Ihrer Buchungen hier sperren nie.',
    kinds: {
      outOfOffice: 'Abwesend',
      tentative: 'Mit Vorbehalt',
      free: 'Frei oder an anderem Ort tätig',
    },
  },
}
