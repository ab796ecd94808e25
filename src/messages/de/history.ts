import type { history as english } from '../en/history.ts'
import type { Translation } from '../message.ts'

export const history: Translation<typeof english> = {
  undo_secret_rotated: 'Ein ersetztes Geheimnis kommt nicht zurück.',
  undo_removed: 'Was entfernt wurde, kommt nicht zurück; fügen Sie es neu hinzu.',
  undo_person: 'Personen, ihre Passwörter und Sitzungen werden unter Team und Profil geändert.',
  undo_token: 'Ein Token bleibt, wie es ist; erstellen Sie ein anderes.',
  undo_zone_changed: 'Dieser Eintrag meldet nur eine andere Ortszeit; die Buchung wurde nicht geändert.',
  undo_customer_merged: 'Zusammengeführte Kunden lassen sich nicht wieder trennen.',
  undo_customer_erased: 'Was gelöscht wurde, ist für immer weg.',
  undo_host_user: 'Ein Benutzer der Website wird hier nicht entfernt.',
  undo_entry_erased: 'Was hier stand, wurde gelöscht.',
  undone_already: 'Das ist schon rückgängig gemacht.',
  changed_since:
    'Inzwischen wieder geändert: {{fields, list}}. Machen Sie zuerst die spätere Änderung rückgängig, oder ändern Sie es von Hand.',
  present_already: 'Es wurde schon wiederhergestellt.',
  entry_not_found: 'Diesen Eintrag gibt es im Verlauf nicht.',
  must_be_seq: 'Muss die seq eines Ereignisses sein oder fehlen, um am Anfang zu beginnen.',
}
