import type { catalogue as english } from '../en/catalogue.ts'
import type { Translation } from '../message.ts'

export const catalogue: Translation<typeof english> = {
  service_has_history:
    'Diese Leistung hat offene oder bestätigte Buchungen. Sagen Sie diese zuerst ab oder entfernen Sie sie, oder bieten Sie die Leistung nicht mehr an.',
  provider_has_reservations:
    'Dieser Anbieter hat offene oder bestätigte Buchungen. Sagen Sie diese zuerst ab oder entfernen Sie sie, oder lassen Sie ihn keine Buchungen mehr annehmen.',
  service_not_found: 'Keine Leistung hat diese Kennung.',
  provider_not_found: 'Kein Anbieter hat diese Kennung.',
  services_not_found: 'Einige dieser Leistungen gibt es nicht.',
  no_services_with_ids: 'Keine Leistung hat die Kennung {{ids, list}}.',
  time_off_too_long:
    'Darf höchstens zwei Jahre nach dem Beginn liegen; legen Sie für die Zeit danach eine weitere Abwesenheit an.',
  time_off_invalid: 'Diese Abwesenheit ist ungültig.',
  reservations_in_the_way: {
    one: 'In dieser Zeit liegt eine Buchung. Verschieben Sie sie oder sagen Sie sie ab, oder behalten Sie die Abwesenheit trotzdem.',
    other:
      'In dieser Zeit liegen {{count, number}} Buchungen. Verschieben Sie sie oder sagen Sie sie ab, oder behalten Sie die Abwesenheit trotzdem.',
  },
  time_off_not_found: 'Diese Abwesenheit gibt es nicht mehr.',
  must_be_minutes: 'Muss eine ganze Zahl von Minuten sein, von 1 bis 10.080.',
  must_be_name: 'Muss ein Name von 1 bis 200 Zeichen sein.',
  must_be_description: 'Muss ein Text von höchstens 10.000 Zeichen sein.',
  must_be_color: 'Muss eine CSS-Farbe wie #3366cc oder leer sein.',
  values_invalid: 'Einige Werte sind ungültig.',
  set_in_panel: 'Einige Einstellungen werden nur in der Verwaltung geändert.',
  changed_in_panel: 'Wird in der Verwaltung geändert; lassen Sie es, wie es ist.',
  differs_from_alias: 'Weicht von {{name}} neben data ab; schicken Sie nur eines davon.',
  must_not_precede_first_day: 'Darf nicht vor dem ersten Tag liegen.',
  form_key_duplicate: 'Ist der Name eines Feldes weiter oben; jedes Feld braucht einen eigenen.',
  form_options_missing: 'Nennen Sie, was zur Wahl steht.',
  form_options_unwanted: 'Nur eine Auswahl hat Möglichkeiten; lassen Sie sie weg.',
  form_option_duplicate: 'Nennen Sie jede Möglichkeit einmal.',
  form_condition_not_above: 'Nennen Sie ein Feld weiter oben.',
  form_condition_kind: 'Nur eine Auswahl oder ein Kästchen kann über ein anderes Feld entscheiden.',
  form_condition_not_boolean: 'Ein Kästchen ist angekreuzt (true) oder nicht (false).',
  form_condition_not_option: 'Nennen Sie eine der Möglichkeiten jenes Feldes.',
  form_invalid: 'Das Buchungsformular kann nicht gespeichert werden.',
  slot_overrides_forbidden:
    'Die Einstellungen der Termine eines Tages legt die Leitung fest; lassen Sie sie, wie sie sind.',
  service_name_ambiguous: 'Keine Leistung, oder nicht nur eine, heißt „{{name}}“.',
  provider_name_ambiguous: 'Kein Anbieter, oder nicht nur einer, heißt „{{name}}“.',
}
