import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openingOf, withoutTitle } from './opening-rule.ts'

const byTitle = { by: 'title', text: 'Open' } as const

describe('events that open time', () => {
  const titles = [
    ['SUMMARY:Open', ''],
    ['SUMMARY;LANGUAGE=en:  open ', ''],
    ['summary;ALTREP="cid:x:y":OPEN', ''],
    ['SUMMARY:Open [price=60][capacity=3]', '[price=60][capacity=3]'],
    ['SUMMARY:[location=Room 2\\, left]Open', '[location=Room 2, left]'],
    ['SUMMARY:Open [note=a\\nb] ', '[note=a b]'],
    ['SUMMARY:Open house', undefined],
    ['SUMMARY:Dentist [price=60]', undefined],
    ['SUMMARY:Open [draft]', undefined],
    ['DESCRIPTION:Open', undefined],
  ] as const
  for (const [title, settings] of titles)
    test(`${title} ${settings === undefined ? 'blocks' : 'opens'}`, () => {
      const lines = withoutTitle(['UID:1', title, 'CATEGORIES:Private'], byTitle)
      assert.equal(openingOf(lines), settings)
      const kept = title.startsWith('DESC') ? [title] : []
      assert.deepEqual(lines, ['UID:1', ...kept, ...(settings === undefined ? [] : [`X-OPENING:${settings}`])])
    })

  test('a category is one of several, whose commas are escaped', () => {
    const rule = { by: 'category', text: 'consultation, new' } as const
    const lines = ['SUMMARY:Anything [price=5]', 'CATEGORIES:Red,Consultation\\, new', 'CATEGORIES;X=1:Blue']
    assert.equal(openingOf(withoutTitle(lines, rule)), '[price=5]')
    assert.equal(openingOf(withoutTitle(['SUMMARY:consultation, new', 'CATEGORIES:Red,Blue'], rule)), undefined)
  })

  test('accents compare in any form, and a file cannot pretend', () => {
    const rule = { by: 'title', text: 'Gesprächszeit' } as const
    assert.equal(openingOf(withoutTitle(['SUMMARY:Gespra\u0308chszeit'], rule)), '')
    assert.deepEqual(withoutTitle(['x-opening:[price=1]', 'SUMMARY:Lunch'], rule), [])
  })
})
