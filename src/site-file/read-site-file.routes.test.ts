import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerIdLimit } from '../catalogue/providers/provider.ts'
import { Refusal } from '../messages/refusal.ts'
import { sentence, sentences } from '../messages/sentence.ts'
import { readSiteFile } from './read-site-file.routes.ts'

function refusalOf(text: string): Refusal['refused'] {
  try {
    readSiteFile(text)
  } catch (error) {
    if (error instanceof Refusal) return error.refused
    throw error
  }
  return assert.fail('The file was taken.')
}

/** Returns the messages of all faults by path. */
function faultsOf(file: object): Readonly<Record<string, string>> {
  return sentences(refusalOf(JSON.stringify(file)).details ?? {})
}

test('a file of names alone is sound', () => {
  const file = { services: [{ name: ' Cut ' }], providers: [{ name: 'Ana' }], customers: [{ name: 'Jo' }] }
  assert.deepEqual(readSiteFile(JSON.stringify(file)), { ...file, services: [{ name: 'Cut' }] })
})

test('text that is no JSON is refused with the place where it breaks', () =>
  assert.match(sentence(refusalOf('{"a":\n1,}').message), /line 2 column 3/))

test('a key named twice in one object is refused, as one of its values would be lost', () =>
  assert.match(sentence(refusalOf('{"site":{},"site":{}}').message), /has a key twice/))

test('every fault is told at once, each by its path', () => {
  const faults = faultsOf({
    site: { timezone: '+02:00', holidays: [{ from: '2026-02-30', to: '2026-03-01' }], policies: { removal: 'maybe' } },
    services: [{}, { name: 'Cut', durationMinutes: 0, limits: { perday: 1 } }],
    providers: [
      { name: 'Ana', weekly: { mon: ['09:00-12:00', '25:00-26:00'], funday: [] }, services: { cut: { weight: -1 } } },
    ],
    customers: [{ name: 'Jo', email: 'jo', id: 'c_1' }],
    reservations: [{ service: 'cut', provider: 0, customer: 'jo', start: '2026-12-01' }],
    extras: [],
  })
  assert.deepEqual(Object.keys(faults).toSorted(), [
    'customers[0].email',
    'customers[0].id',
    'extras',
    'providers[0].services.cut.weight',
    'providers[0].weekly.funday',
    'providers[0].weekly.mon[1]',
    'reservations[0].provider',
    'reservations[0].start',
    'services[0].name',
    'services[1].durationMinutes',
    'services[1].limits.perday',
    'site.holidays[0].from',
    'site.policies.removal',
    'site.timezone',
  ])
})

test('a mistyped key is told the nearest one', () =>
  assert.match(
    faultsOf({ services: [{ name: 'Cut', durationMinuts: 5 }] })['services[0].durationMinuts'] ?? '',
    /"durationMinutes"/,
  ))

const contradictions: readonly (readonly [what: string, file: object, path: string])[] = [
  [
    'two rows of one key',
    {
      services: [
        { key: 'a', name: 'A' },
        { key: 'a', name: 'B' },
      ],
    },
    'services[1].key',
  ],
  [
    'two rows of one id',
    {
      providers: [
        { id: 1, name: 'A' },
        { id: 1, name: 'B' },
      ],
    },
    'providers[1].id',
  ],
  [
    'two rows of one name and nothing to tell them apart',
    { services: [{ name: 'A' }, { name: 'A' }] },
    'services[1].name',
  ],
  [
    'a customer twice',
    {
      customers: [
        { name: 'A', email: 'a@b.de' },
        { name: 'A', email: 'A@b.de' },
      ],
    },
    'customers[1].name',
  ],
  [
    'a holiday that ends before it begins',
    { site: { holidays: [{ from: '2026-02-02', to: '2026-02-01' }] } },
    'site.holidays[0].to',
  ],
  [
    'an override that changes nothing',
    { providers: [{ name: 'A', overrides: [{ date: '2026-02-02' }] }] },
    'providers[0].overrides[0]',
  ],
  [
    'an override of a date and a span',
    { providers: [{ name: 'A', overrides: [{ date: '2026-02-02', to: '2026-02-03', hours: [] }] }] },
    'providers[0].overrides[0]',
  ],
  ['more data than is kept', { services: [{ name: 'A', data: { text: 'x'.repeat(17_000) } }] }, 'services[0].data'],
]
for (const [what, file, path] of contradictions) {
  test(`${what} is a fault at ${path}`, () => assert.deepEqual(Object.keys(faultsOf(file)), [path]))
}

test('a provider id is refused when few or no ids are left after it for new providers', () => {
  const withId = (id: number) => ({ providers: [{ id, name: 'Ana' }] })
  const last = providerIdLimit / 2 - 1
  assert.equal(readSiteFile(JSON.stringify(withId(last))).providers?.[0]?.id, last)
  for (const id of [last + 1, providerIdLimit]) assert.deepEqual(Object.keys(faultsOf(withId(id))), ['providers[0].id'])
})

test('two customers of one address are two people when their names differ', () => {
  const customers = [
    { name: 'Jo', email: 'a@b.de' },
    { name: 'Kim', email: 'a@b.de' },
  ]
  assert.equal(readSiteFile(JSON.stringify({ customers })).customers?.length, 2)
})
