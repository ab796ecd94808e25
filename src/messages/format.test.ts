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
