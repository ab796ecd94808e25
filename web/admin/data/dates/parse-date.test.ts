import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays } from './dates.ts'
import { formatNumericDate, parseDate, parseTime, splitDateTime } from './parse-date.ts'

const today = '2026-11-22'
const read = (locale: string, text: string, missingYear: 'upcoming' | 'nearest' | 'past' = 'upcoming') =>
  parseDate(text, { locale, today, missingYear })?.date

const locales = ['en-US', 'en-GB', 'de', 'fr', 'es', 'nl', 'pl', 'sv', 'it', 'pt', 'da', 'en-CA']

const table: Readonly<Record<string, readonly (readonly [typed: string, date: string | undefined])[]>> = {
  de: [
    ['05.12.2026', '2026-12-05'],
    ['5.12.2026', '2026-12-05'],
    ['24.12.2026', '2026-12-24'],
    ['5.12.', '2026-12-05'],
    ['5.12', '2026-12-05'],
    ['5.12.26', '2026-12-05'],
    ['05-12-2026', '2026-12-05'],
    ['5/12/2026', '2026-12-05'],
    ['5 12 2026', '2026-12-05'],
    ['5. 12. 2026', '2026-12-05'],
    ['05122026', '2026-12-05'],
    ['20261205', '2026-12-05'],
    ['5. Dezember 2026', '2026-12-05'],
    ['5. Dez.', '2026-12-05'],
    ['1. März 2027', '2027-03-01'],
    ['1. Marz', '2027-03-01'],
    ['21.11.', '2027-11-21'],
    ['22.11.', '2026-11-22'],
    ['29.2.', '2028-02-29'],
    ['heute', '2026-11-22'],
    ['Morgen', '2026-11-23'],
    ['12.24.2026', undefined],
    ['31.11.2026', undefined],
    ['29.2.2027', undefined],
    ['5.12.202', undefined],
    ['5.12.2', undefined],
    ['5.12/2026', undefined],
    ['5. Ju', undefined],
    ['512', undefined],
    ['bald', undefined],
  ],
  'en-GB': [
    ['05/12/2026', '2026-12-05'],
    ['5/12', '2026-12-05'],
    ['5.12.2026', '2026-12-05'],
    ['5 Dec 2026', '2026-12-05'],
    ['5th of December 2026', '2026-12-05'],
    ['Dec 5, 2026', '2026-12-05'],
    ['5 Sept', '2027-09-05'],
    ['12/24/2026', undefined],
    ['tomorrow', '2026-11-23'],
  ],
  'en-US': [
    ['12/05/2026', '2026-12-05'],
    ['12/5', '2026-12-05'],
    ['12/5/26', '2026-12-05'],
    ['12-05-2026', '2026-12-05'],
    ['Dec 5', '2026-12-05'],
    ['24.12.2026', '2026-12-24'],
    // In en-US, dates with dots occur in both orders of day and month, so an ambiguous date is rejected.
    ['05.12.2026', undefined],
    ['5.12.', undefined],
    ['24/12/2026', undefined],
  ],
  fr: [
    ['05/12/2026', '2026-12-05'],
    ['5 déc. 2026', '2026-12-05'],
    ['1er février 2027', '2027-02-01'],
    ['5 juil', '2027-07-05'],
    ['5 jui', undefined],
    ['demain', '2026-11-23'],
  ],
  es: [
    ['5/12/2026', '2026-12-05'],
    ['5 de diciembre de 2026', '2026-12-05'],
    ['5 dic', '2026-12-05'],
  ],
  nl: [
    ['05-12-2026', '2026-12-05'],
    ['5-12', '2026-12-05'],
    ['5 mrt 2027', '2027-03-05'],
  ],
  pl: [
    ['05.12.2026', '2026-12-05'],
    ['5 grudnia 2026', '2026-12-05'],
    ['5 paź', '2027-10-05'],
  ],
  sv: [
    ['2026-12-05', '2026-12-05'],
    ['26-12-05', '2026-12-05'],
    ['5/12', '2026-12-05'],
    ['5/12/2026', '2026-12-05'],
    ['5 december', '2026-12-05'],
  ],
  'en-CA': [
    ['2026/12/05', '2026-12-05'],
    ['05/12/2026', undefined],
  ],
}

describe('a typed date', () => {
  for (const [locale, rows] of Object.entries(table))
    for (const [typed, date] of rows)
      test(`"${typed}" in ${locale} is ${date ?? 'rejected'}`, () => assert.equal(read(locale, typed), date))

  for (const locale of locales)
    test(`in the format of ${locale} or in ISO format is parsed back, for every day of ten years`, () => {
      for (let date = '2020-01-01'; date < '2030-01-01'; date = addDays(date, 1)) {
        assert.equal(read(locale, formatNumericDate(date, locale)), date)
        assert.equal(read(locale, date), date)
      }
    })

  test('without a year can be the nearest instead of the next', () => {
    assert.equal(read('de', '1.11.', 'nearest'), '2026-11-01')
    assert.equal(read('de', '1.2.', 'nearest'), '2027-02-01')
  })

  test('is complete with a four-digit year', () => {
    const complete = (text: string) => parseDate(text, { locale: 'de', today, missingYear: 'upcoming' })?.complete
    assert.equal(complete('5.12.26'), false)
    assert.equal(complete('5.12.2026'), true)
  })
})

for (const [text, minute] of [
  ['14:30', '14:30'],
  ['14.30', '14:30'],
  ['14h30', '14:30'],
  ['14h', '14:00'],
  ['1430', '14:30'],
  ['930', '09:30'],
  ['9', '09:00'],
  ['14 Uhr', '14:00'],
  ['2:30 pm', '14:30'],
  ['2:30\u202fPM', '14:30'],
  ['12 am', '00:00'],
  ['24:00', '24:00'],
  ['25:00', undefined],
  ['13 pm', undefined],
  ['12:60', undefined],
  ['', undefined],
] as const)
  test(`the time "${text}" is ${minute ?? 'rejected'}`, () => assert.equal(parseTime(text), minute))

for (const [text, parts] of [
  ['05.12.2026, 14:30', ['05.12.2026', '14:30']],
  ['5.12. 14.30', ['5.12.', '14.30']],
  ['12/05/2026, 2:30\u202fPM', ['12/05/2026', '2:30 PM']],
  ['2026-12-05T14:30', ['2026-12-05', '14:30']],
  ['5 Dec 2026 930', ['5 Dec 2026', '930']],
  ['2026-12-05', undefined],
  ['5. Dezember 2027', undefined],
  ['5. 12. 2027', undefined],
  ['5. Dezember 2027, 9:30', ['5. Dezember 2027', '9:30']],
  ['5.12. 1430', ['5.12.', '1430']],
] as const)
  test(`"${text}" is split into ${parts?.join(' and ') ?? 'nothing'}`, () =>
    assert.deepEqual(splitDateTime(text, { locale: 'de', today, missingYear: 'upcoming' }), parts))

test('a birthday without its century or year is the last one up to today', () => {
  for (const [text, date] of [
    ['05.12.60', '1960-12-05'],
    ['05.12.25', '2025-12-05'],
    ['05.12.30', '1930-12-05'],
    [`${today.slice(8)}.${today.slice(5, 7)}.`, today],
  ] as const)
    assert.equal(read('de', text, 'past'), date)
})
