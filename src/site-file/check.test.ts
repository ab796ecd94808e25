import assert from 'node:assert/strict'
import { test } from 'node:test'
import { message } from '../messages/message.ts'
import { sentence, sentences } from '../messages/sentence.ts'
import { siteFileFaults, siteFileRefusal } from './check.ts'
import { noChanges, type SiteFile } from './site-file.ts'

const tooMuch = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, index]))
const manyKeys = 'Can have at most 64 keys; remove some first.'
const ownField = 'Cannot be stored in data: it is a field or setting of its own; send it beside data.'
const reservation = { service: 'cut', provider: 1, customer: 'jo', start: 0 }
const nothing = 'Has no effect: add hours, slot, or both.'
const oneOrTwo = 'Needs either a date, or from and to.'
const hours = ['09:00-12:00']
const overrides = (...list: object[]): SiteFile => ({ providers: [{ name: 'Ana', overrides: list }] })
const at = (index: number) => `providers[0].overrides[${index}]`

const files: readonly (readonly [what: string, file: SiteFile, faults: Readonly<Record<string, string>>])[] = [
  ['an empty one', {}, {}],
  [
    'a holiday that ends before it begins',
    {
      site: {
        holidays: [
          { from: '2026-12-25', to: '2026-12-25' },
          { from: '2026-12-26', to: '2026-12-25' },
        ],
      },
    },
    { 'site.holidays[1].to': 'Is before from (2026-12-26).' },
  ],
  [
    'a key given twice',
    {
      services: [
        { key: 'cut', name: 'A' },
        { key: 'wash', name: 'B' },
        { key: 'cut', name: 'C' },
      ],
    },
    { 'services[2].key': 'Is also the key of services[0]; keys must be unique.' },
  ],
  [
    'an id given twice',
    {
      providers: [
        { id: 1, name: 'A' },
        { id: 1, name: 'B' },
      ],
    },
    { 'providers[1].id': 'Is also the id of providers[0]; ids must be unique.' },
  ],
  [
    'different ids',
    {
      providers: [
        { id: 1, name: 'A' },
        { id: 2, name: 'A' },
      ],
    },
    {},
  ],
  [
    'a key and an id that are the same text',
    {
      services: [
        { key: 's_1', name: 'A' },
        { id: 's_1', name: 'B' },
      ],
    },
    {},
  ],
  [
    'services and providers without a key that are named alike',
    { services: [{ name: 'A' }, { name: 'A' }], providers: [{ name: 'A' }, { name: 'B' }, { name: 'B' }] },
    {
      'services[1].name': 'Has the same name as services[0]; give each a key to tell them apart.',
      'providers[2].name': 'Has the same name as providers[1]; give each a key to tell them apart.',
    },
  ],
  [
    'one name with a key and without',
    { services: [{ name: 'A' }, { key: 'a', name: 'A' }, { id: 's', name: 'A' }] },
    {},
  ],
  [
    'customers of one name and address, in any case',
    { customers: [{ name: 'Jo' }, { name: 'Jo', email: 'Jo@a.example' }, { name: 'Jo', email: 'jo@a.example' }] },
    { 'customers[2].name': 'Has the same name as customers[1]; give each a key to tell them apart.' },
  ],
  ['customers of one name, one without an address', { customers: [{ name: 'Jo' }, { name: 'Jo', email: 'a@b' }] }, {}],
  [
    'two customers of one name without an address',
    { customers: [{ name: 'Jo' }, { name: 'Jo' }] },
    { 'customers[1].name': 'Has the same name as customers[0]; give each a key to tell them apart.' },
  ],
  ['reservations that are alike', { reservations: [reservation, reservation] }, {}],
  [
    'reservations of one key',
    {
      reservations: [
        { ...reservation, key: 'a' },
        { ...reservation, key: 'a' },
      ],
    },
    { 'reservations[1].key': 'Is also the key of reservations[0]; keys must be unique.' },
  ],
  [
    'data that does not fit',
    {
      services: [
        { name: 'A', data: { a: 1 } },
        { name: 'B', data: tooMuch },
      ],
      providers: [{ name: 'Ana', services: { cut: { data: tooMuch }, wash: {} } }, { name: 'Ben' }],
      reservations: [{ ...reservation, data: tooMuch }],
    },
    {
      'services[1].data': manyKeys,
      'providers[0].services.cut.data': manyKeys,
      'reservations[0].data': manyKeys,
    },
  ],
  [
    'data named like a field or setting, unless null deletes it',
    {
      services: [{ name: 'A', data: { name: 'x', color: null, limits: {}, weight: 1 } }],
      providers: [{ name: 'Ana', services: { cut: { data: { weight: 2, priority: null, name: 'y' } } } }],
      reservations: [{ ...reservation, data: { name: 'z', capacity: 3 } }],
    },
    {
      'services[0].data.name': ownField,
      'services[0].data.limits': ownField,
      'providers[0].services.cut.data.weight': ownField,
    },
  ],
  [
    'a booking form that cannot be asked',
    {
      services: [
        { name: 'A', form: [{ key: 'age', label: 'Age', kind: 'number' }] },
        { name: 'B', form: [{ key: 'hair', label: 'Hair', kind: 'choice' }] },
      ],
    },
    { 'services[1].form[0].options': 'Add the options to choose from.' },
  ],
  [
    'overrides in every good form',
    overrides(
      { date: '2026-12-24', hours },
      { date: '2026-12-24', slot: { price: 1 } },
      { from: '2026-12-24', to: '2026-12-24', hours: [] },
    ),
    {},
  ],
  ['an override of nothing', overrides({ date: '2026-12-24' }), { [at(0)]: nothing }],
  [
    'overrides whose dates are unclear',
    overrides(
      { hours },
      { from: '2026-12-24', hours },
      { to: '2026-12-24', hours },
      { date: '2026-12-24', from: '2026-12-24', hours },
      { date: '2026-12-24', to: '2026-12-24', hours },
      { date: '2026-12-24', from: '2026-12-24', to: '2026-12-24', hours },
    ),
    Object.fromEntries([0, 1, 2, 3, 4, 5].map((index) => [at(index), oneOrTwo])),
  ],
  [
    'an override that ends before it begins',
    overrides({ from: '2026-12-25', to: '2026-12-24', hours }),
    { [`${at(0)}.to`]: 'Is before from (2026-12-25).' },
  ],
]
for (const [what, file, faults] of files)
  test(`of a site file with ${what} ${Object.keys(faults).join(', ') || 'nothing'} is wrong`, () =>
    assert.deepEqual(sentences(Object.fromEntries(siteFileFaults(file))), faults))

test('before anything is applied nothing has changed', () =>
  assert.deepEqual(noChanges(), { added: [], changed: [], left: [] }))

for (const [count, said] of [
  [1, 'Nothing was changed: there is one error in the file.'],
  [2, 'Nothing was changed: there are 2 errors in the file.'],
] as const)
  test(`a site file is refused with all that is wrong in it: ${count}`, () => {
    const faults = [['a', message('unknown_field')] as const, ['b', message('must_be_list')] as const].slice(0, count)
    const { message: about, ...refused } = siteFileRefusal(new Map(faults)).refused
    assert.deepEqual(refused, { code: 'site_file_invalid', details: Object.fromEntries(faults) })
    assert.equal(sentence(about), said)
  })
