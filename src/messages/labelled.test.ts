import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelled } from './labelled.ts'

for (const [language, line] of [
  ['en', 'Phone: 1'],
  ['de-AT', 'Phone: 1'],
  ['fr', 'Phone\u00a0: 1'],
  ['fr-CA', 'Phone\u00a0: 1'],
  ['fy', 'Phone: 1'],
] as const)
  test(`a label in ${language} reads “${line}”`, () => assert.equal(labelled('Phone', '1', language), line))
