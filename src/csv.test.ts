import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'

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
  ['+49;=1', `"'+49;=1"`],
  ['+49\t=1', `"'+49\t=1"`],
  ['＋49 30', "'＋49 30"],
  ['-1', "'-1"],
  ['@sum', "'@sum"],
  ['\t=1', '"\'\t=1"'],
  ['\rx', '"\'\rx"'],
  ['  =1', "'  =1"],
  ['＝1', "'＝1"],
  ['=cmd|"/c calc"!A0', '"\'=cmd|""/c calc""!A0"'],
] as const)
  test(`${JSON.stringify(text)} is written ${JSON.stringify(cell)}`, () => assert.equal(csvLine([text]), `${cell}\r\n`))

test('numbers stay numbers, and nothing is an empty cell', () => assert.equal(csvLine([-5, null, 'x']), '-5,,x\r\n'))
