import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsAfter, mergedDetails, tagList } from './customer-details.ts'

test('a change leaves absent fields as they are, and an empty one removes the field', () => {
  const before = { birthday: '1980-02-29', tags: ['VIP'], phones: [{ label: 'Work', number: '+49 30 1' }] }
  assert.deepEqual(detailsAfter(before, {}), before)
  assert.deepEqual(detailsAfter(before, { birthday: null, tags: [] }), { phones: before.phones })
  assert.equal(detailsAfter(before, { birthday: null, tags: [], phones: [{ label: '', number: ' ' }] }), undefined)
})

test('tags are sorted, trimmed, and stored once whatever their case', () => {
  assert.deepEqual(tagList([' vip', 'Allergy', 'VIP', '', 'allergy ']), ['Allergy', 'vip'])
})

test('merged customers have the tags and numbers of both, and the birthday of the one who stays', () => {
  assert.deepEqual(
    mergedDetails({ birthday: '1980-01-01', tags: ['A'] }, { birthday: '1981-01-01', tags: ['B'] }, [
      { label: '', number: '+49 30 2' },
    ]),
    { birthday: '1980-01-01', tags: ['A', 'B'], phones: [{ label: '', number: '+49 30 2' }] },
  )
})
