import type { SaidOf } from '../said.ts'
import type { fields as english } from './en.ts'

/** What the service says beside fields and of lists, bodies and site files. */
export const fields: SaidOf<typeof english> = {
  'Something is wrong with what was sent; see: {{names}}.': 'Etwas an der Eingabe stimmt nicht; siehe: {{names}}.',
  'Something required is missing: {{names}}.': 'Etwas Nötiges fehlt: {{names}}.',
  'Must be {{=expected}}.': 'Muss {{=expected}} sein.',
  'Missing: send {{=expected}}.': 'Fehlt; gebraucht wird {{=expected}}.',
  '{{=expected}}, or {{=other}}': '{{=expected}} oder {{=other}}',
  'one of {{words}}': 'einer der Werte {{words}}',
  null: 'leer',
  'true or false': 'true oder false',
  'a list': 'eine Liste',
  'an object': 'ein Objekt',
  'a text': 'ein Text',
  'a text of {{#least}} to {{#most}} characters': 'ein Text von {{#least}} bis {{#most}} Zeichen',
  'a text of at most {{#most}} characters': 'ein Text von höchstens {{#most}} Zeichen',
  'a whole number': 'eine ganze Zahl',
  'a whole number from {{#least}} to {{#most}}': 'eine ganze Zahl von {{#least}} bis {{#most}}',
  'a whole number from {{#least}} up': 'eine ganze Zahl ab {{#least}}',
  'an e-mail address such as name@example.com': 'eine E-Mail-Adresse wie name@example.com',
  'a CSS colour such as #3366cc': 'eine CSS-Farbe wie #3366cc',
  'an IANA time zone such as Europe/Berlin': 'eine IANA-Zeitzone wie Europe/Berlin',
  'a language tag such as en or pt-BR': 'ein Sprachkürzel wie en oder pt-BR',
  'a date such as 2026-12-24': 'ein Datum wie 2026-12-24',
  'opening hours such as 09:00-17:00 or 22:00-02:00': 'eine Öffnungszeit wie 09:00-17:00 oder 22:00-02:00',
  'a local time such as 2026-12-01T09:00': 'eine Ortszeit wie 2026-12-01T09:00',
  'an address that begins with http:// or https://': 'eine Adresse mit http:// oder https:// am Anfang',
  'a currency code such as EUR': 'ein Währungskürzel wie EUR',
  'a key: one line of text, without blanks around it':
    'ein Schlüssel (eine Zeile Text ohne Leerzeichen davor und danach)',
  's_ and 32 letters or digits': 's_ und 32 Buchstaben oder Ziffern',
  'c_ and 32 letters or digits': 'c_ und 32 Buchstaben oder Ziffern',
  'r_ and 32 letters or digits': 'r_ und 32 Buchstaben oder Ziffern',
  'a provider id: a whole number or a text': 'die Nummer eines Anbieters (eine ganze Zahl oder ein Text)',
  'the id of a host user: a whole number from 1 up, or 0 for none':
    'die Kennung eines Benutzers der Website (eine ganze Zahl ab 1, oder 0 für keinen)',
  'ids with commas between them': 'eine Reihe von Kennungen mit Kommas dazwischen',
  'provider ids with commas between them': 'eine Reihe von Nummern von Anbietern mit Kommas dazwischen',
  'Must be true or false.': 'Muss true oder false sein.',
  'Must be a whole number.': 'Muss eine ganze Zahl sein.',
  'Must be a whole number of minutes from 1 to 10,080.': 'Muss eine ganze Zahl von Minuten sein, von 1 bis 10.080.',
  'Must be a name of 1 to 200 characters.': 'Muss ein Name von 1 bis 200 Zeichen sein.',
  'Must be a text of at most 10,000 characters.': 'Muss ein Text von höchstens 10.000 Zeichen sein.',
  'Must be a CSS colour such as #3366cc, or null.': 'Muss eine CSS-Farbe wie #3366cc oder leer sein.',
  'Must be a list.': 'Muss eine Liste sein.',
  'Must be a list of at most {{#count}}.': 'Muss eine Liste von höchstens {{#count}} sein.',
  'Must be an object.': 'Muss ein Objekt sein.',
  'Must hold at most {{#count}} keys.': 'Darf höchstens {{#count}} Schlüssel enthalten.',
  'Must nest at most {{#count}} levels.': 'Darf höchstens {{#count}} Ebenen tief verschachtelt sein.',
  'Must be at most {{#count}} bytes of JSON.': 'Darf höchstens {{#count}} Bytes JSON umfassen.',
  'Keeps at most {{#count}} keys; remove some first.':
    'Es werden höchstens {{#count}} Schlüssel aufbewahrt; entfernen Sie zuerst einige.',
  'Keeps at most {{#count}} bytes of JSON; send less.':
    'Es werden höchstens {{#count}} Bytes JSON aufbewahrt; schicken Sie weniger.',
  'The data does not fit.': 'Die Daten passen nicht hinein.',
  'Is not known here.': 'Ist hier nicht bekannt.',
  'Is not known here; did you mean "{{name}}"?': 'Ist hier nicht bekannt; meinten Sie „{{name}}“?',
  'Is sent more than once; send it once.': 'Ist mehr als einmal angegeben; geben Sie es einmal an.',
  'Some values cannot be kept.': 'Einige Werte können nicht gespeichert werden.',
  'Some settings are changed in the panel only.': 'Einige Einstellungen werden nur in der Verwaltung geändert.',
  'Is changed in the panel; leave it as it is.': 'Wird in der Verwaltung geändert; lassen Sie es, wie es ist.',
  'Differs from the {{name}} sent beside data; send one of them.':
    'Weicht von {{name}} neben data ab; schicken Sie nur eines davon.',
  'Must not be before the first day.': 'Darf nicht vor dem ersten Tag liegen.',
  'The period is none that can be counted.': 'Dieser Zeitraum kann nicht gezählt werden.',
  'Must be the same date as from or a later one, and no more than {{#days}} days later.':
    'Darf nicht vor dem ersten Datum liegen und höchstens {{#days}} Tage danach.',
  'This list goes no further than its first 10,000 entries.':
    'Diese Liste reicht nur bis zu den ersten 10.000 Einträgen.',
  'Is behind the first 10,000 entries; narrow the list by a search, or turn its order around.':
    'Liegt hinter den ersten 10.000 Einträgen; grenzen Sie die Liste durch eine Suche ein, oder kehren Sie ihre Reihenfolge um.',
  'Is behind the first 10,000 entries; narrow the list by a filter, or turn its order around.':
    'Liegt hinter den ersten 10.000 Einträgen; grenzen Sie die Liste durch einen Filter ein, oder kehren Sie ihre Reihenfolge um.',
  'More than 10,000 customers are called that.': 'Mehr als 10.000 Kunden heißen so.',
  'Fits more than 10,000 customers; type more of the name, the address or the number.':
    'Passt auf mehr als 10.000 Kunden; geben Sie mehr vom Namen, von der Adresse oder der Nummer ein.',
  'More than 500 customers are called that.': 'Mehr als 500 Kunden heißen so.',
  'Fits more than 500 customers; type more of the name, the address or the number.':
    'Passt auf mehr als 500 Kunden; geben Sie mehr vom Namen, von der Adresse oder der Nummer ein.',
  file: 'Datei',
  body: 'Anfrage',
  'The {{=what}} is empty; send a JSON object.': 'Die {{=what}} ist leer; schicken Sie ein JSON-Objekt.',
  'The {{=what}} must be a JSON object.': 'Die {{=what}} muss ein JSON-Objekt sein.',
  'The {{=what}} is not valid JSON in UTF-8; check quotes, commas and brackets.':
    'Die {{=what}} ist kein gültiges JSON in UTF-8; prüfen Sie Anführungszeichen, Kommas und Klammern.',
  'The {{=what}} {{=oddity}}.': 'Die {{=what}} {{=oddity}}.',
  'nests deeper than {{#count}} levels': 'ist tiefer als {{#count}} Ebenen verschachtelt',
  'holds a number that is too large': 'enthält eine zu große Zahl',
  'holds a text with NUL or half a character': 'enthält einen Text mit NUL oder einem halben Zeichen',
  'names a key twice in one object': 'nennt einen Schlüssel zweimal in einem Objekt',
  'The file is not valid JSON: {{fault}}': 'Die Datei ist kein gültiges JSON: {{fault}}',
  'Nothing was changed: there is one fault in the file.': 'Nichts wurde geändert: In der Datei ist ein Fehler.',
  'Nothing was changed: there are {{#count}} faults in the file.':
    'Nichts wurde geändert: In der Datei sind {{#count}} Fehler.',
  'Is the key of {{kind}}[{{at}}] too; keys are unique.':
    'Ist auch der Schlüssel von {{kind}}[{{at}}]; jeder Schlüssel gilt einmal.',
  'Is the id of {{kind}}[{{at}}] too; ids are unique.':
    'Ist auch die Kennung von {{kind}}[{{at}}]; jede Kennung gilt einmal.',
  'Is named like {{kind}}[{{at}}]; give each a key to tell them apart.':
    'Heißt wie {{kind}}[{{at}}]; geben Sie jedem einen Schlüssel, der sie unterscheidet.',
  'Is already the key of {{id}}.': 'Ist schon der Schlüssel von {{id}}.',
  'Fits {{#count}} that are there ({{ids}}); say which by its id.':
    'Passt auf {{#count}} vorhandene ({{ids}}); sagen Sie mit der Kennung, was gemeint ist.',
  'Means the same row as {{kind}}[{{at}}].': 'Meint dasselbe wie {{kind}}[{{at}}].',
  'Changes nothing: give it hours, slot, or both.': 'Ändert nichts: Geben Sie hours, slot oder beides an.',
  'Needs either a date, or from and to.': 'Braucht entweder date oder from und to.',
  'Lies before from ({{date}}).': 'Liegt vor from ({{date}}).',
  service: 'eine Leistung',
  provider: 'einen Anbieter',
  customer: 'einen Kunden',
  'There is no {{=noun}} with the key or id "{{reference}}", in this file or on the site.':
    'Weder in dieser Datei noch im Betrieb gibt es {{=noun}} mit dem Schlüssel oder der Kennung „{{reference}}“.',
  'There is no service with the key or id "{{reference}}", in this file or on the site.':
    'Weder in dieser Datei noch im Betrieb gibt es eine Leistung mit dem Schlüssel oder der Kennung „{{reference}}“.',
  'Must lie after the start, by at most 10,080 minutes.':
    'Muss nach dem Beginn liegen, höchstens 10.080 Minuten danach.',
  'All seats of this slot are taken ({{#count}}).': 'Alle Plätze dieser Zeit sind vergeben ({{#count}}).',
  'Overlaps reservations[{{at}}] in the time of {{name}}, buffers included.':
    'Überschneidet sich bei {{name}} mit reservations[{{at}}], Puffer eingerechnet.',
  'Overlaps a slot being held in the time of {{name}}, buffers included.':
    'Überschneidet sich bei {{name}} mit einer gerade freigehaltenen Zeit, Puffer eingerechnet.',
  'Overlaps reservation {{id}} in the time of {{name}}, buffers included.':
    'Überschneidet sich bei {{name}} mit der Buchung {{id}}, Puffer eingerechnet.',
  'Is the key of an earlier field; each field needs its own.':
    'Ist der Name eines Feldes weiter oben; jedes Feld braucht einen eigenen.',
  'Name what there is to choose from.': 'Nennen Sie, was zur Wahl steht.',
  'Only a choice has options; leave them out.': 'Nur eine Auswahl hat Möglichkeiten; lassen Sie sie weg.',
  'Name each option once.': 'Nennen Sie jede Möglichkeit einmal.',
  'Name a field further up.': 'Nennen Sie ein Feld weiter oben.',
  'Only a choice or a box can decide about another field.':
    'Nur eine Auswahl oder ein Kästchen kann über ein anderes Feld entscheiden.',
  'A box is ticked (true) or not (false).': 'Ein Kästchen ist angekreuzt (true) oder nicht (false).',
  'Name one of the options of that field.': 'Nennen Sie eine der Möglichkeiten jenes Feldes.',
  'The booking form has no such field.': 'Das Buchungsformular hat kein solches Feld.',
  'Is needed for the booking.': 'Wird für die Buchung gebraucht.',
  'Must be ticked for the booking.': 'Muss für die Buchung angekreuzt sein.',
  'Must be a text of at most {{#most}} characters.': 'Muss ein Text von höchstens {{#most}} Zeichen sein.',
  'Must be a number.': 'Muss eine Zahl sein.',
  'Must be one of the options.': 'Muss eine der Möglichkeiten sein.',
  'Must be some of the options, each once.': 'Muss aus den Möglichkeiten bestehen, jede einmal.',
  'a letter, then letters, digits or _': 'ein Buchstabe, dann Buchstaben, Ziffern oder _',
  'Some answers cannot be kept.': 'Einige Antworten können nicht gespeichert werden.',
  'The booking form cannot be kept.': 'Das Buchungsformular kann nicht gespeichert werden.',
  'Must be a date such as 2026-12-24.': 'Muss ein Datum wie 2026-12-24 sein.',
  'What slots of a date are like is set by those who run the site; leave it as it is.':
    'Wie die Termine eines Tages sind, legen die fest, die die Website verwalten; lassen Sie es, wie es ist.',
  'Enter an e-mail address or a phone number.': 'Geben Sie eine E-Mail-Adresse oder eine Telefonnummer ein.',
  'Belongs to a customer without an e-mail address; send a real one.':
    'Gehört zu einem Kunden ohne E-Mail-Adresse; senden Sie eine echte.',
}
