import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { withSentences } from '../../../test/support/sentences.ts'
import { sentences } from '../../messages/sentence.ts'
import {
  askedFields,
  canDecide,
  type FormFieldEntry,
  type FormFieldKind,
  formFaults,
  formOf,
  hasOptions,
  readAnswers,
} from './booking-form.ts'

const insured: FormFieldEntry = { key: 'insured', label: 'Insured', kind: 'choice', options: ['Yes', 'No'] }
const insurer: FormFieldEntry = { key: 'insurer', label: 'Where', kind: 'text', when: { field: 'insured', is: 'Yes' } }
const wishes: FormFieldEntry = { key: 'wishes', label: 'Wishes', kind: 'choices', options: ['Wash', 'Cut', 'Dye'] }
const colour: FormFieldEntry = { key: 'colour', label: 'Colour', kind: 'text', when: { field: 'wishes', is: 'Dye' } }
const agreed: FormFieldEntry = { key: 'agreed', label: 'Agreed', kind: 'checkbox' }
const whyNot: FormFieldEntry = { key: 'whyNot', label: 'Why', kind: 'text', when: { field: 'agreed', is: false } }

const faultsOf = (...entries: readonly FormFieldEntry[]) => sentences(Object.fromEntries(formFaults(formOf(entries))))
const one = (kind: FormFieldKind, more: Partial<FormFieldEntry> = {}) =>
  formOf([{ key: 'it', label: 'It', kind, ...more }])

test('what a field does not say is always asked, may be left and has neither help nor options', () => {
  assert.deepEqual(formOf([{ key: 'a', label: 'A', kind: 'text' }]), [
    { key: 'a', label: 'A', kind: 'text', help: '', required: false, options: [], when: null },
  ])
  const whole = { ...insured, help: 'Any', required: true, when: { field: 'agreed', is: true } }
  assert.deepEqual(formOf([whole]), [whole])
})

test('choices have options, and both choices and boxes can decide about later fields', () => {
  const kinds: readonly FormFieldKind[] = ['text', 'long_text', 'number', 'date', 'choice', 'choices', 'checkbox']
  assert.deepEqual(
    kinds.filter((kind) => hasOptions({ kind })),
    ['choice', 'choices'],
  )
  assert.deepEqual(
    kinds.filter((kind) => canDecide({ kind })),
    ['choice', 'choices', 'checkbox'],
  )
})

describe('a form is at fault', () => {
  test('in nothing, when keys differ, choices have options and conditions name an earlier answer', () => {
    assert.deepEqual(faultsOf(insured, insurer, wishes, colour, agreed, whyNot), {})
  })
  test('where a key is there twice', () => {
    assert.deepEqual(faultsOf(agreed, insured, { ...agreed, label: 'Again' }), {
      '[2].key': 'Is the key of an earlier field; each field needs its own.',
    })
  })
  test('where a choice has no options, another kind has some, or one is named twice', () => {
    assert.deepEqual(
      faultsOf({ ...insured, options: [] }, { ...agreed, options: ['A'] }, { ...wishes, options: ['A', 'A'] }),
      {
        '[0].options': 'Add the options to choose from.',
        '[1].options': 'Only a choice has options; leave them out.',
        '[2].options': 'Each option must be different.',
      },
    )
  })
  test('where a condition names a later field, none, or itself', () => {
    const sentence = { '[0].when': 'Choose a field further up.' }
    assert.deepEqual(faultsOf(insurer, insured), sentence)
    assert.deepEqual(faultsOf(insurer), sentence)
    assert.deepEqual(faultsOf({ ...insured, when: { field: 'insured', is: 'Yes' } }), sentence)
  })
  test('where a condition hangs on what is typed, or on an answer that cannot be given', () => {
    const name: FormFieldEntry = { key: 'name', label: 'Name', kind: 'text' }
    const on = (field: FormFieldEntry, is: string | boolean) =>
      faultsOf(field, { ...insurer, when: { field: field.key, is } })
    assert.deepEqual(on(name, 'Jo'), { '[1].when': 'The condition must use a choice or a checkbox.' })
    assert.deepEqual(on(insured, 'Maybe'), { '[1].when': 'Choose one of the options of that field.' })
    assert.deepEqual(on(insured, true), { '[1].when': 'Choose one of the options of that field.' })
    assert.deepEqual(on(agreed, 'Yes'), { '[1].when': 'The answer of a checkbox is true or false.' })
    assert.deepEqual(on(agreed, false), {})
  })
})

describe('a field is asked', () => {
  const form = formOf([insured, insurer, wishes, colour, agreed, whyNot])
  const asked = (answers: object) => askedFields(form, { ...answers }).map(({ key }) => key)
  test('where the earlier field has the answer, one of several answers, or the box is as it must be', () => {
    assert.deepEqual(asked({}), ['insured', 'wishes', 'agreed', 'whyNot'])
    assert.deepEqual(asked({ insured: 'Yes', agreed: true }), ['insured', 'insurer', 'wishes', 'agreed'])
    assert.deepEqual(asked({ insured: 'No', wishes: ['Cut', 'Dye'], agreed: true }), [
      'insured',
      'wishes',
      'colour',
      'agreed',
    ])
    assert.deepEqual(asked({ wishes: ['Cut'], agreed: 'true' }), ['insured', 'wishes', 'agreed', 'whyNot'])
  })
  test('not where the earlier field is not asked itself, whatever was answered to it before', () => {
    const chain = formOf([
      agreed,
      { ...insured, when: { field: 'agreed', is: true } },
      { ...insurer, when: { field: 'insured', is: 'Yes' } },
    ])
    assert.deepEqual(
      askedFields(chain, { insured: 'Yes' }).map(({ key }) => key),
      ['agreed'],
    )
  })
})

describe('answers', () => {
  const kept = (form: readonly FormFieldEntry[], sent: object, complete = true) =>
    withSentences(readAnswers(formOf(form), { ...sent }, { complete }))

  for (const [kind, response, is] of [
    ['text', ' Ana ', 'Ana'],
    ['long_text', 'a\nb', 'a\nb'],
    ['number', -1.5, -1.5],
    ['number', 0, 0],
    ['date', '2028-02-29', '2028-02-29'],
    ['choice', 'B', 'B'],
    ['choices', ['C', 'A'], ['C', 'A']],
    ['checkbox', true, true],
  ] as const)
    test(`of a ${kind} are kept: ${JSON.stringify(response)}`, () => {
      const options = hasOptions({ kind }) ? ['A', 'B', 'C'] : []
      assert.deepEqual(readAnswers(one(kind, { options }), { it: response }, { complete: true }), {
        answers: { it: is },
      })
    })

  for (const [kind, response, sentence] of [
    ['text', 'x'.repeat(501), 'Must be at most 500 characters.'],
    ['text', 5, 'Must be at most 500 characters.'],
    ['long_text', 'x'.repeat(5_001), 'Must be at most 5,000 characters.'],
    ['number', '5', 'Must be a number.'],
    ['number', Number.NaN, 'Must be a number.'],
    ['date', '2026-02-29', 'Must be a date such as 2026-12-24.'],
    ['date', 20_260_228, 'Must be a date such as 2026-12-24.'],
    ['choice', 'D', 'Must be one of the options.'],
    ['choices', ['A', 'D'], 'Must be one or more of the options, each at most once.'],
    ['choices', ['A', 'A'], 'Must be one or more of the options, each at most once.'],
    ['choices', 'A', 'Must be one or more of the options, each at most once.'],
    ['checkbox', 'yes', 'Must be true or false.'],
  ] as const)
    test(`of a ${kind} are refused: ${String(response).slice(0, 20)}`, () => {
      const options = hasOptions({ kind }) ? ['A', 'B', 'C'] : []
      const read = readAnswers(one(kind, { options }), { it: response }, { complete: false })
      assert.deepEqual(withSentences(read), { invalid: { it: sentence } })
    })

  test('as long as a text may be are kept', () => {
    for (const [kind, length] of [
      ['text', 500],
      ['long_text', 5_000],
    ] as const)
      assert.ok('answers' in readAnswers(one(kind), { it: 'x'.repeat(length) }, { complete: true }))
  })

  test('that are empty are not kept, and missed only where one must be there and all are asked for', () => {
    for (const empty of [undefined, null, '', '  ', false, []]) {
      assert.deepEqual(kept([{ ...agreed, required: false }], { agreed: empty }), { answers: {} })
      assert.deepEqual(kept([{ key: 'it', label: 'It', kind: 'text', required: true }], { it: empty }, false), {
        answers: {},
      })
    }
    assert.deepEqual(kept([{ key: 'it', label: 'It', kind: 'text', required: true }], {}), {
      invalid: { it: 'Is required for the booking.' },
    })
    assert.deepEqual(kept([{ ...agreed, required: true }], { agreed: false }), {
      invalid: { agreed: 'Must be ticked for the booking.' },
    })
  })

  test('to fields that are not asked are dropped, and their being required does not matter', () => {
    const form = [insured, { ...insurer, required: true }]
    assert.deepEqual(kept(form, { insured: 'No', insurer: 5 }), { answers: { insured: 'No' } })
    assert.deepEqual(kept(form, { insured: 'Yes' }), { invalid: { insurer: 'Is required for the booking.' } })
  })

  test('to no field of the form are refused, beside all else that is wrong', () => {
    assert.deepEqual(kept([{ key: 'age', label: 'Age', kind: 'number' }], { age: 'old', room: 'A' }), {
      invalid: { room: 'The booking form has no such field.', age: 'Must be a number.' },
    })
  })

  test('that were kept are kept again as they are', () => {
    const form = formOf([insured, insurer, wishes, colour, agreed, whyNot])
    const response = fc.oneof(
      fc.constantFrom('Yes', 'No', ' Red ', ''),
      fc.boolean(),
      fc.subarray(['Wash', 'Cut', 'Dye']),
    )
    const answers = fc.dictionary(fc.constantFrom(...form.map(({ key }) => key)), response)
    fc.assert(
      fc.property(answers, (sent) => {
        const first = readAnswers(form, sent, { complete: false })
        if ('invalid' in first) return
        assert.deepEqual(readAnswers(form, first.answers, { complete: true }), first)
      }),
    )
  })
})
