import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellText, csvLine } from './csv.ts'

for (const [text, cell] of [
  ['Jo', 'Jo'],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+49 30 1234', '+49 30 1234'],
  ['+493012345678', '+493012345678'],
  ['+49 30\n', `"'+49 30\n"`],
  [' +49 30', "' +49 30"],
  ['+', "'+"],
  ['+ 49', "'+ 49"],
  ['++49', "'++49"],
  ['+1-2', "'+1-2"],
  ['+49 (0)30', "'+49 (0)30"],
  ['+1/2', "'+1/2"],
  ['+1.5', "'+1.5"],
  ['+1,5', `"'+1,5"`],
  ['+1e9', "'+1e9"],
  ['+49 A1', "'+49 A1"],
  ['+49 =1', "'+49 =1"],
  ['+49;=1', `"'+49;'=1"`],
  ['+49\t=1', `"'+49\t'=1"`],
  ['+49 30; +49 40', `"'+49 30; '+49 40"`],
  ["x;=cmd|'/c calc'!A0;y", `"x;'=cmd|'/c calc'!A0;y"`],
  ['x;;  ＠sum', `"x;;  '＠sum"`],
  ['x;"=1+1"', `"x;""'=1+1"""`],
  ['x\t-1', `"x\t'-1"`],
  ['x\r\n@sum', `"x\r\n'@sum"`],
  ['x,+1', `"x,'+1"`],
  ['a=b; c-d, e+f@g', '"a=b; c-d, e+f@g"'],
  ['＋49 30', "'＋49 30"],
  ['-1', "'-1"],
  ['@sum', "'@sum"],
  ['\t=1', `"'\t'=1"`],
  ['\rx', '"\'\rx"'],
  ['  =1', "'  =1"],
  ['＝1', "'＝1"],
  ['=cmd|"/c calc"!A0', '"\'=cmd|""/c calc""!A0"'],
] as const)
  test(`${JSON.stringify(text)} is written ${JSON.stringify(cell)}`, () => assert.equal(csvLine([text]), `${cell}\r\n`))

test('numbers stay numbers, and nothing is an empty cell', () => assert.equal(csvLine([-5, null, 'x']), '-5,,x\r\n'))

test('no part of a text is a formula where a spreadsheet with another list separator begins a cell', () => {
  for (const text of ['x;=1;y', 'x;=1', 'x\t=1\ty', 'x\n=1\ny', 'x,=1,y', 'x;\n "=1";y', ';"=1"'])
    for (const separator of [/[;\r\n]/, /[\t\r\n]/])
      for (const cell of csvLine(['id', text, 'z']).split(separator)) assert.doesNotMatch(cell, /^[\s"]*=/, text)
})

for (const text of [
  'Jo',
  '=1',
  '  =1',
  '\t=1',
  ' \n=1',
  'x;=1; "-2"',
  '+49 30; +49 40',
  'x\n＝1',
  "O'Neil;'s",
  '+49 30',
])
  test(`${JSON.stringify(text)} is read from a cell as it was written`, () => {
    const cell = csvLine([text]).slice(0, -2)
    assert.equal(cellText(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell), text)
  })
