import type { siteFile as english } from '../en/site-file.ts'
import type { Translation } from '../message.ts'

export const siteFile: Translation<typeof english> = {
  site_file_not_json: 'Die Datei ist kein gültiges JSON: {{fault}}',
  site_file_invalid: {
    one: 'Nichts wurde geändert: In der Datei ist ein Fehler.',
    other: 'Nichts wurde geändert: In der Datei sind {{count, number}} Fehler.',
  },
  duplicate_key: 'Ist auch der Schlüssel von {{kind}}[{{at}}]; jeder Schlüssel gilt einmal.',
  duplicate_id: 'Ist auch die Kennung von {{kind}}[{{at}}]; jede Kennung gilt einmal.',
  duplicate_name: 'Heißt wie {{kind}}[{{at}}]; geben Sie jedem einen Schlüssel, der sie unterscheidet.',
  key_taken: 'Ist schon der Schlüssel von {{id}}.',
  ambiguous_match:
    'Passt auf {{count, number}} vorhandene ({{ids, list}}); sagen Sie mit der Kennung, was gemeint ist.',
  same_row: 'Meint dasselbe wie {{kind}}[{{at}}].',
  override_without_effect: 'Ändert nichts: Geben Sie hours, slot oder beides an.',
  override_without_dates: 'Braucht entweder date oder from und to.',
  ends_before_start: 'Liegt vor from ({{date}}).',
  unknown_service_reference:
    'Weder in dieser Datei noch im Betrieb gibt es eine Leistung mit dem Schlüssel oder der Kennung „{{reference}}“.',
  end_minutes_out_of_range: 'Muss nach dem Beginn liegen, höchstens 10.080 Minuten danach.',
  seats_taken: 'Alle Plätze dieser Zeit sind vergeben ({{count, number}}).',
  overlaps_entry: 'Überschneidet sich bei {{name}} mit reservations[{{at}}], Puffer eingerechnet.',
  overlaps_hold: 'Überschneidet sich bei {{name}} mit einer gerade freigehaltenen Zeit, Puffer eingerechnet.',
  overlaps_reservation: 'Überschneidet sich bei {{name}} mit der Buchung {{id}}, Puffer eingerechnet.',
  unknown_provider_reference:
    'Weder in dieser Datei noch im Betrieb gibt es einen Anbieter mit dem Schlüssel oder der Kennung „{{reference}}“.',
  unknown_customer_reference:
    'Weder in dieser Datei noch im Betrieb gibt es einen Kunden mit dem Schlüssel oder der Kennung „{{reference}}“.',
}
