import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { publicApi } from '../../contract/public-api.ts'
import { providerServiceSettings, serviceSettings } from '../../contract/resources.ts'
import { Refusal } from '../../messages/refusal.ts'
import { noFaults } from './faults.ts'
import type { Schema } from './schema.ts'
import { compileValidator } from './validate.ts'

/** Returns the converted value of one field; undefined when the value is rejected. */
function read(schema: Schema, field: string, value: unknown): unknown {
  const own = schema.properties?.[field]
  assert.ok(own, `the contract declares ${field}`)
  const faults = noFaults()
  const taken = compileValidator({ type: 'object', properties: { [field]: own } })({ [field]: value }, '', faults)
  try {
    faults.refuse('POST')
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.deepEqual(Object.keys(error.refused.details ?? {})[0]?.startsWith(field), true)
    return undefined
  }
  return Object.entries(taken ?? {})[0]?.[1]
}

const bodies: Readonly<Record<string, TSchema>> = {
  reservation: publicApi['POST /reservations/edit/'].body,
  customer: publicApi['POST /customers/edit/'].body,
  service: publicApi['POST /services/edit/'].body,
  provider: publicApi['POST /providers/edit/'].body,
}

const largest = Number.MAX_SAFE_INTEGER

// Each row has a field, the accepted values with their conversions, and the rejected values.
const fields: readonly (readonly [string, readonly (readonly [unknown, unknown])[], readonly unknown[]])[] = [
  [
    'reservation.start',
    [
      [0, 0],
      [-1, -1],
      [largest, largest],
    ],
    ['5', 1.5, null, true, [1], {}, largest + 1, -largest - 1, 1e300],
  ],
  [
    'reservation.providerId',
    [
      [3, 3],
      ['3', 3],
      ['03', 0],
      ['3.0', 0],
      [' 3', 0],
      ['x', 0],
      ['', 0],
      [0, 0],
      [-3, 0],
      [1e300, 0],
      ['9007199254740993', 0],
    ],
    [1.5, true, null, [3], {}],
  ],
  [
    'reservation.serviceId',
    [
      ['s_1', 's_1'],
      ['', ''],
      [' ', ' '],
    ],
    [1, null, false, {}, []],
  ],
  ['reservation.status', [['pending', 'pending']], ['Pending', '', 'done', null, 1]],
  [
    'reservation.data',
    [
      [{ a: null }, { a: null }],
      [{ a: { b: { c: { d: { e: { f: 1 } } } } } }.a, { b: { c: { d: { e: { f: 1 } } } } }],
      [{ text: 'x'.repeat(16_373) }, { text: 'x'.repeat(16_373) }],
    ],
    [
      null,
      [],
      'x',
      { a: { b: { c: { d: { e: { f: {} } } } } } },
      { text: 'x'.repeat(16_374) },
      { text: 'é'.repeat(8_187) },
      Object.fromEntries(Array.from({ length: 65 }, (_, at) => [at, at])),
    ],
  ],
  [
    'customer.name',
    [
      [' Jo ', 'Jo'],
      ['é'.repeat(200), 'é'.repeat(200)],
      ['😀'.repeat(200), '😀'.repeat(200)],
    ],
    ['', '   ', 'x'.repeat(201), '😀'.repeat(201), null, 5],
  ],
  [
    'customer.email',
    [
      ['jo@example.com', 'jo@example.com'],
      [' Jo.Park+a@Sub.Example.co ', 'Jo.Park+a@Sub.Example.co'],
      ['jürgen@müller.de', 'jürgen@müller.de'],
      ["o'hara@example.com", "o'hara@example.com"],
    ],
    [
      '',
      'jo',
      'jo@',
      '@example.com',
      'jo@example',
      'jo@@example.com',
      'jo@a@b.com',
      'j o@example.com',
      'jo@exa mple.com',
      'jo@-a.com',
      'jo@a-.com',
      'jo@a..com',
      'jo@.com',
      '.jo@a.com',
      'jo.@a.com',
      'j..o@a.com',
      'jo@a.com\nBcc: x@y.z',
      'Jo <jo@a.com>',
      `${'x'.repeat(65)}@a.com`,
      `jo@${'x'.repeat(64)}.com`,
      `jo@${'x.'.repeat(130)}com`,
      null,
    ],
  ],
  [
    'customer.phone',
    [
      ['', ''],
      [' +49 30 1 ', '+49 30 1'],
    ],
    ['1'.repeat(51), 49, null],
  ],
  [
    'customer.hostUserId',
    [
      [0, 0],
      ['', 0],
      [7, 7],
      [largest, largest],
    ],
    [-1, 1.5, '7', null, true, largest + 1],
  ],
  [
    'customer.status',
    [
      [0, 0],
      [1, 1],
      [2, 2],
    ],
    [3, -1, '1', null, 1.5, true],
  ],
  [
    'customer.timezone',
    [
      [null, null],
      ['Europe/Berlin', 'Europe/Berlin'],
      ['Asia/Calcutta', 'Asia/Calcutta'],
      ['UTC', 'UTC'],
    ],
    ['', '+02:00', 'Mars/Base', 'Europe', 2, {}],
  ],
  [
    'customer.language',
    [
      ['', ''],
      ['de', 'de'],
      [' de_DE ', 'de_DE'],
      ['zh-Hant-TW', 'zh-Hant-TW'],
      ['sr-Latn', 'sr-Latn'],
      ['es-419', 'es-419'],
      ['de-x-formal', 'de-x-formal'],
    ],
    ['d', 'german language', 'de-', 'de--DE', '12', null],
  ],
  [
    'service.color',
    [
      [null, null],
      ['#3366cc', '#3366cc'],
      ['#abcd', '#abcd'],
      [' Red ', 'Red'],
      ['rgb(1, 2, 3)', 'rgb(1, 2, 3)'],
      ['hsla(120deg, 50%, 50%, .3)', 'hsla(120deg, 50%, 50%, .3)'],
    ],
    ['', '#12', 'reddish', 'url(x)', 'rgb(1)', 5, 'red;'],
  ],
  ['service.class', [['appointment', 'appointment']], ['event', null, '']],
  [
    'service.description',
    [
      ['', ''],
      [' a\nb ', 'a\nb'],
    ],
    ['x'.repeat(10_001), null],
  ],
  [
    'provider.allowedServices',
    [
      [[], []],
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
    ],
    ['a', [1], [null], {}, null],
  ],
  [
    'provider.restrictServices',
    [
      [true, true],
      [false, false],
    ],
    ['true', 1, 0, null],
  ],
]

for (const [name, taken, refused] of fields) {
  const [resource = '', field = ''] = name.split('.')
  const schema = bodies[resource] ?? {}
  for (const [value, becomes] of taken) {
    test(`${name} accepts ${brief(value)}`, () => assert.deepEqual(read(schema, field, value), becomes))
  }
  for (const value of refused) {
    test(`${name} rejects ${brief(value)}`, () => assert.equal(read(schema, field, value), undefined))
  }
}

function brief(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length})` : text
}

test('an error inside a list is reported with its path', () => {
  const faults = noFaults()
  compileValidator(bodies.provider ?? {})({ id: 1, allowedServices: ['a', 2] }, '', faults)
  assert.throws(
    () => faults.refuse('POST'),
    (error) => error instanceof Refusal && Object.keys(error.refused.details ?? {})[0] === 'allowedServices[1]',
  )
})

test('the validators agree with TypeBox about settings of plain types', () => {
  for (const schema of [serviceSettings, providerServiceSettings]) {
    const names = Object.keys(schema.properties)
    const numbers = fc.oneof(fc.integer({ min: -2, max: 11_000 }), fc.double(), fc.maxSafeInteger())
    const words = fc.constantFrom('direct', 'none', 'EUR', 'EURO', '', 'admin')
    const anything = fc.oneof(numbers, words, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }))
    const value = fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 4 })
    const plain: TSchema = schema
    const read = compileValidator(plain)
    fc.assert(
      fc.property(value, (settings) => {
        const faults: string[] = []
        const report = (path: string) => void faults.push(path)
        read(settings, '', { wrong: report, missing: report })
        assert.equal(faults.length === 0, Check(schema, settings), `reported ${faults}`)
      }),
      { numRuns: 2000 },
    )
  }
})
