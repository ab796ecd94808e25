import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsAfter, maxPhones, maxTags, mergedDetails, tagList } from './customer-details.ts'

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
    mergedDetails(
      { phone: '+49 30 1', details: { birthday: '1980-01-01', tags: ['A'] } },
      { phone: '+49 30 2', details: { birthday: '1981-01-01', tags: ['B'] } },
    ),
    { birthday: '1980-01-01', tags: ['A', 'B'], phones: [{ label: '', number: '+49 30 2' }] },
  )
})

test('tags and numbers that both merged customers have take one place each', () => {
  const tags = Array.from({ length: maxTags - 1 }, (_, index) => `T${String(index).padStart(2, '0')}`)
  const phones = ['+49 30 2', '+49 30 3', '+49 30 4'].map((number) => ({ label: 'Work', number }))
  const own = { label: 'Home', number: '+49 30 5' }
  assert.deepEqual(
    mergedDetails(
      { phone: '+49 30 1', details: { tags, phones } },
      {
        phone: '+49 (30) 2',
        details: { tags: [...tags.map((tag) => tag.toLowerCase()), 'New'], phones: [...phones, own] },
      },
    ),
    { tags: ['New', ...tags], phones: [...phones, own] },
  )
  assert.deepEqual(mergedDetails({ phone: '' }, { phone: '+49 30 2', details: { phones } }), {
    phones: phones.slice(1),
  })
})

test('of more tags and numbers than a customer may have, those of the one who stays remain', () => {
  const tags = Array.from({ length: maxTags }, (_, index) => `T${String(index).padStart(2, '0')}`)
  const phones = Array.from({ length: maxPhones }, (_, index) => ({ label: '', number: `+49 30 1${index}` }))
  assert.deepEqual(
    mergedDetails({ phone: '+49 30 1', details: { tags, phones } }, { phone: '+49 30 2', details: { tags: ['A'] } }),
    { tags, phones },
  )
})
