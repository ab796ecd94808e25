import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phoneTerms, soughtPhoneTerms } from './phone-terms.ts'

const finds = async (typed: string, kept: string): Promise<boolean> => {
  const words = await phoneTerms(kept)
  return (await soughtPhoneTerms(typed)).some((beginning) => words.some((word) => word.startsWith(beginning)))
}

for (const kept of ['+494066969198', '+49 40 66969-198', '+49 (0)40 66969198', '0049 40 66969198', '040/66969198'])
  for (const typed of [
    '66969 198',
    '66969198',
    '9198',
    '04066969198',
    '040 66969198',
    '(040) 66969',
    '4066969198',
    '+494066969198',
    '+49 40 66969198',
    '+49 (0)40 66969198',
    '0049 40 66969198',
    '0406696',
  ])
    test(`${typed} finds ${kept}`, async () => assert.ok(await finds(typed, kept)))

for (const [typed, kept] of [
  ['020 7946 0958', '+44 20 7946 0958'],
  ['+44 20 7946 0958', '020 7946 0958'],
  ['(212) 555-0100', '+1 212-555-0100'],
  ['+1 212 555 0100', '212.555.0100'],
  ['06 1234 5678', '+39 06 1234 5678'],
  ['612 34 56 78', '+34 612 34 56 78'],
  ['06 12 34 56 78', '+33 6 12 34 56 78'],
  ['070-123 45 67', '+46 70 123 45 67'],
] as const)
  test(`${typed} finds ${kept}`, async () => assert.ok(await finds(typed, kept)))

for (const [typed, kept] of [
  ['66969199', '+494066969198'],
  ['198', '+494066969198'],
  ['03066969198', '+494066969198'],
] as const)
  test(`${typed} does not find ${kept}`, async () => assert.ok(!(await finds(typed, kept))))
