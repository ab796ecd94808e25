import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseDate } from './parse-date.ts'

const today = '2026-11-22'
const dates = ['2026-12-05', '2027-03-01', '2026-12-24', '2027-08-09', '2028-02-29'] as const

// The test dates in eight locales. Each locale has one line per date of `dates`, in the same order; a line contains
// five notations in which people of that locale type the date.
const corpus: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'de-DE': [
    ['05.12.2026', '5.12.26', '5.12.', '5. Dezember', '05122026'],
    ['1.3.2027', '01.03.27', '1.3.', '1. März 2027', '1. Mrz 2027'],
    ['24.12.2026', '24.12.', '24. Dez. 2026', '24-12-2026', '2026-12-24'],
    ['9.8.27', '9. August 2027', '9. Aug', '09/08/2027', '9 8 2027'],
    ['29.2.2028', '29.02.28', '29.2.', '29. Februar 2028', '29. Feb. 2028'],
  ],
  'en-GB': [
    ['05/12/2026', '5/12/26', '5/12', '5 December', '5th Dec 2026'],
    ['1/3/2027', '01-03-2027', '1 March 2027', '1st of March', 'Mar 1, 2027'],
    ['24/12/2026', '24/12', '24.12.2026', '24th December 2026', 'December 24'],
    ['9/8/27', '9 Aug', '9 August 2027', '09 08 2027', 'Aug 9 2027'],
    ['29/2/2028', '29 Feb 2028', '29/02', '29 February', '2028-02-29'],
  ],
  'en-US': [
    ['12/05/2026', '12/5/26', '12/5', 'Dec 5', 'December 5, 2026'],
    ['3/1/2027', '03-01-2027', 'March 1', 'Mar 1, 2027', 'March 1st, 2027'],
    ['12/24/2026', '12/24', '12-24-26', 'Dec 24th', '24 Dec 2026'],
    ['8/9/27', '08/09/2027', 'Aug 9', 'August 9 2027', '08092027'],
    ['2/29/2028', '2/29', 'Feb 29, 2028', 'February 29', '2028-02-29'],
  ],
  'fr-FR': [
    ['05/12/2026', '5/12/26', '5/12', '5 décembre', '5 déc. 2026'],
    ['1/3/2027', '1er mars', '1er mars 2027', '01.03.2027', '01032027'],
    ['24/12/2026', '24-12-2026', '24 décembre 2026', '24 dec', '24.12.26'],
    ['9/8/27', '9 août', '9 aout 2027', 'le 9 août 2027', '09 08 2027'],
    ['29/2/2028', '29/02', '29 févr. 2028', '29 février', '29 fevrier 2028'],
  ],
  'es-ES': [
    ['05/12/2026', '5/12/26', '5/12', '5 de diciembre', '5 dic 2026'],
    ['1/3/2027', '1-3-2027', '1 de marzo de 2027', '1 mar', '01.03.2027'],
    ['24/12/2026', '24-12', '24 de diciembre del 2026', '24 diciembre', '24122026'],
    ['9/8/27', '9 ago', '9 de agosto', '09-08-27', 'el 9 de agosto de 2027'],
    ['29/2/2028', '29/02', '29 feb 2028', '29 de febrero', '2028-02-29'],
  ],
  'it-IT': [
    ['05/12/2026', '5/12/26', '5/12', '5 dicembre', '5 dic 2026'],
    ['1/3/2027', '1-3-2027', '1 marzo 2027', '1 mar', '01.03.27'],
    ['24/12/2026', '24.12.2026', '24 dicembre', '24 dic.', '24122026'],
    ['9/8/27', '9 agosto', '9 ago 2027', '09-08-2027', '9 8 27'],
    ['29/2/2028', '29/02', '29 febbraio 2028', '29 feb', '2028-02-29'],
  ],
  'nl-NL': [
    ['05-12-2026', '5-12-26', '5-12', '5 december', '5 dec 2026'],
    ['1-3-2027', '1 maart 2027', '1 mrt', '01/03/2027', '1 mrt. 2027'],
    ['24-12-2026', '24-12', '24 dec.', '24 december 2026', '24.12.2026'],
    ['9-8-27', '9 augustus', '9 aug 2027', '09-08-2027', '9/8'],
    ['29-2-2028', '29-02', '29 februari 2028', '29 feb', '2028-02-29'],
  ],
  'sv-SE': [
    ['2026-12-05', '26-12-05', '5/12', '5 december', 'den 5 december 2026'],
    ['2027-03-01', '27-03-01', '1/3', '1 mars 2027', '1 mars'],
    ['2026-12-24', '24/12', '24 dec 2026', '24 december', '20261224'],
    ['2027-08-09', '9/8', '9 augusti', '9 aug 2027', '2027/08/09'],
    ['2028-02-29', '29/2', '29 februari 2028', '29 feb.', '28-02-29'],
  ],
}

describe('dates typed in the manner of eight locales', () => {
  for (const [locale, lines] of Object.entries(corpus))
    test(`are read correctly in ${locale}, twenty-five of them`, () => {
      const typed = lines.flatMap((line, at) => line.map((text) => [text, dates[at]] as const))
      assert.equal(typed.length, 25)
      const misread = typed.filter(
        ([text, date]) => parseDate(text, { locale, today, missingYear: 'upcoming' })?.date !== date,
      )
      assert.deepEqual(misread, [])
    })
})
