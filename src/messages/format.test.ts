import assert from 'node:assert/strict'
import { test } from 'node:test'
import { de } from './de.ts'
import { en } from './en.ts'
import { formatMessage } from './format.ts'
import { type Message, message } from './message.ts'

const english = { locale: 'en', texts: en }
const german = { locale: 'de', texts: de }

for (const [given, inEnglish, inGerman] of [
  [message('rule_service_active'), 'The service is bookable.', 'Die Leistung ist buchbar.'],
  [
    message('slot_lead_time', { time: '2026-10-05 09:00 (Europe/Berlin)' }),
    'The start is too soon: the earliest start is 2026-10-05 09:00 (Europe/Berlin). Choose a later time.',
    'Der Beginn ist zu kurzfristig: Frühestens möglich ist 2026-10-05 09:00 (Europe/Berlin). Wählen Sie eine spätere Zeit.',
  ],
  [
    message('must_be_list_up_to', { count: 1_000 }),
    'Must be a list of at most 1,000.',
    'Muss eine Liste von höchstens 1.000 sein.',
  ],
  [
    message('must_be', {
      expected: message('expected_either', {
        expected: message('expected_integer_between', { least: 1, most: 10_080 }),
        other: message('expected_null'),
      }),
    }),
    'Must be a whole number from 1 to 10,080, or null.',
    'Muss eine ganze Zahl von 1 bis 10.080 oder leer sein.',
  ],
  [
    message('missing_send', { expected: message('expected_string_between', { least: 1, most: 200 }) }),
    'Missing: send a string of 1 to 200 characters.',
    'Fehlt; erforderlich ist ein Text von 1 bis 200 Zeichen.',
  ],
  [
    message('tokens_ending', {
      tokens: message('list_and_more', {
        items: [
          message('token_until', { name: 'Shop', date: '2026-10-05' }),
          message('token_until', { name: 'Old', date: '2026-10-06' }),
        ],
        count: 2,
      }),
    }),
    'Expiring soon: Shop on 2026-10-05, Old on 2026-10-06 and 2 more. Create new ones with "daybook token create".',
    'Laufen bald ab: Shop am 2026-10-05, Old am 2026-10-06 und 2 weitere. Erstellen Sie neue mit „daybook token create“.',
  ],
  [
    message('site_file_invalid', { count: 1 }),
    'Nothing was changed: there is one error in the file.',
    'Es wurde nichts geändert: Die Datei enthält einen Fehler.',
  ],
  [
    message('site_file_invalid', { count: 2_000 }),
    'Nothing was changed: there are 2,000 errors in the file.',
    'Es wurde nichts geändert: Die Datei enthält 2.000 Fehler.',
  ],
  [
    message('backup_not_yet', { count: 1 }),
    'No backup yet. One is due within a day.',
    'Noch keine Sicherung. Eine ist innerhalb eines Tages fällig.',
  ],
  [
    message('backup_overdue', { date: '2026-10-05', count: 1 }),
    'The last backup was made on 2026-10-05, more than a day ago. Make one, and check the timer that should have.',
    'Die letzte Sicherung ist vom 2026-10-05, vor mehr als einem Tag. Erstellen Sie eine, und prüfen Sie den Timer, der das tun sollte.',
  ],
  [
    message('secret_key_missing_sealed', { count: 1 }),
    'None: set DAYBOOK_SECRET_KEY, the same for every node; one stored secret cannot be decrypted without it.',
    'Keiner: Setzen Sie DAYBOOK_SECRET_KEY, auf jedem Knoten denselben; ohne ihn lässt sich ein gespeichertes Geheimnis nicht entschlüsseln.',
  ],
  [
    message('wall_times_changed', { count: 1, reservations: message('list', { items: ['r_1'] }) }),
    'One upcoming reservation is not at the local time it was booked for, because rules of its time zone changed: r_1. Move it, or notify the customer.',
    'Eine kommende Buchung liegt nicht mehr auf der gebuchten Zeit, weil sich die Regeln ihrer Zeitzone geändert haben: r_1. Verschieben Sie sie, oder benachrichtigen Sie den Kunden.',
  ],
  [message('assigned_direct', { id: 1_000 }), 'Provider 1000 was requested.', 'Anbieter 1000 wurde gewünscht.'],
  [message('verbatim', { text: 'As it {{is}} & $1' }), 'As it {{is}} & $1', 'As it {{is}} & $1'],
] as const)
  test(`“${inEnglish}” is “${inGerman}” in German`, () => {
    assert.equal(formatMessage(given, english), inEnglish)
    assert.equal(formatMessage(given, german), inGerman)
  })

test('a message whose code only another version knows is its code', () => {
  const stored: Message = JSON.parse('{"code":"of_tomorrow","parameters":{"id":7}}')
  assert.equal(formatMessage(stored, english), 'of_tomorrow')
})
