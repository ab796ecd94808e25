import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSentences } from '../../../test/support/sentences.ts'
import { sentences } from '../../messages/sentence.ts'
import { defaultServiceSettings, type Service, shownServiceInFull } from './service.ts'
import { applyServiceChange, mergeProviderService, mergeSettings, type ServiceChange } from './service-settings.ts'

const service: Service = {
  id: 's_1',
  name: 'Check-up',
  description: 'A look at everything',
  color: '#3366cc',
  settings: { ...defaultServiceSettings, durationMinutes: 30, limits: { perProviderDay: 8, perCustomerDay: 1 } },
  data: { room: 'A', tags: ['x'] },
  form: [],
}

/** Returns the service of these tests after a change; fails the test when the change is refused. */
function edited(change: ServiceChange): Service {
  const response = applyServiceChange(service, change)
  assert.ok('service' in response, JSON.stringify(response))
  return response.service
}

test('what a full list shows can be sent back unchanged and changes nothing', () => {
  const { name, description, color, data } = shownServiceInFull(service)
  assert.deepEqual(edited({ name, description, color, data }), service)
})

test('a setting of the panel sent unchanged passes, whatever the order of its keys', () => {
  assert.deepEqual(edited({ data: { limits: { perCustomerDay: 1, perProviderDay: 8 }, price: null } }), service)
})

for (const [key, value] of Object.entries({
  intervalMinutes: 15,
  bufferBeforeMinutes: 5,
  bufferAfterMinutes: 5,
  capacity: 2,
  leadTimeMinutes: 60,
  horizonDays: 10,
  limits: { perProviderDay: 9 },
  approval: 'admin',
  pendingBlocks: false,
  routingMode: 'random',
  price: 100,
  currency: 'EUR',
  payment: { online: true },
  notifications: {},
  active: false,
})) {
  test(`${key} is changed in the panel only`, () => {
    const answer = applyServiceChange(service, { data: { [key]: value, room: 'B' } })
    assert.ok('panelOnly' in answer)
    assert.deepEqual(sentences(answer.panelOnly), {
      [`data.${key}`]: 'Can be changed only in the panel; leave it unchanged.',
    })
  })
}

test('null is a change of a panel setting that has a value', () => {
  assert.ok('panelOnly' in applyServiceChange(service, { data: { capacity: null } }))
})

test("keys of the integration's own are merged, null deletes one", () => {
  assert.deepEqual(edited({ data: { tags: null, floor: 2 } }).data, { room: 'A', floor: 2 })
})

test("name, description, color and duration in data set the service's own", () => {
  const after = edited({ data: { name: ' New ', description: 'D', color: 'teal', durationMinutes: 45 } })
  assert.deepEqual(after, {
    ...service,
    name: 'New',
    description: 'D',
    color: 'teal',
    settings: { ...service.settings, durationMinutes: 45 },
  })
})

test('null empties the description and the color', () => {
  const after = edited({ data: { description: null, color: null } })
  assert.deepEqual([after.description, after.color], ['', null])
  assert.equal(edited({ color: null }).color, null)
})

test('each field may go to its bounds, and data need not name any', () => {
  const name = 'x'.repeat(200)
  const description = 'x'.repeat(10_000)
  assert.deepEqual(edited({ data: { name: ` ${name} `, description } }), { ...service, name, description })
  assert.equal(edited({ data: { durationMinutes: 1 } }).settings.durationMinutes, 1)
  assert.equal(edited({ data: { durationMinutes: 10_080 } }).settings.durationMinutes, 10_080)
  assert.deepEqual(edited({}), service)
})

const expected: Readonly<Record<string, string>> = {
  name: 'Must be a name of 1 to 200 characters.',
  description: 'Must be a string of at most 10,000 characters.',
  color: 'Must be a CSS colour such as #3366cc, or null.',
  durationMinutes: 'Must be a whole number of minutes from 1 to 10,080.',
}
const wrong: [string, unknown][] = [
  ['name', ''],
  ['name', '  '],
  ['name', null],
  ['name', 5],
  ['name', 'x'.repeat(201)],
  ['description', 5],
  ['description', 'x'.repeat(10_001)],
  ['color', 'reddish'],
  ['color', 5],
  ['durationMinutes', 0],
  ['durationMinutes', 10_081],
  ['durationMinutes', 1.5],
  ['durationMinutes', '30'],
  ['durationMinutes', null],
]
for (const [key, value] of wrong) {
  test(`${key} in data may not be ${JSON.stringify(value).slice(0, 20)}`, () => {
    const answer = applyServiceChange(service, { data: { [key]: value } })
    assert.ok('invalid' in answer)
    assert.deepEqual(sentences(answer.invalid), { [`data.${key}`]: expected[key] })
  })
}

test('a name in data that contradicts the name beside it is refused, one that agrees is taken', () => {
  const answer = applyServiceChange(service, { name: 'One', data: { name: 'Two' } })
  assert.ok('invalid' in answer)
  assert.match(sentences(answer.invalid)['data.name'] ?? '', /name sent beside data/)
  assert.equal(edited({ name: 'One', data: { name: 'One' } }).name, 'One')
})

test('all that is wrong is told at once', () => {
  const response = applyServiceChange(service, { data: { name: 1, durationMinutes: 0 } })
  assert.ok('invalid' in response)
  assert.deepEqual(Object.keys(response.invalid).sort(), ['data.durationMinutes', 'data.name'])
})

test("the integration's own keys are bounded after merging; settings do not count", () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
  const full = edited({ data: keys(62) })
  assert.equal(Object.keys(full.data).length, 64)
  assert.ok('service' in applyServiceChange(full, { data: shownServiceInFull(full).data }))
  const response = applyServiceChange(full, { data: { one: 'more' } })
  assert.ok('invalid' in response)
  assert.deepEqual(Object.keys(response.invalid), ['data'])
})

test("a provider's settings merge, null resets one, and other keys are the integration's own", () => {
  const kept = { settings: { durationMinutes: 45, priority: 2 }, data: { room: 'A' } }
  const response = mergeProviderService(kept, { durationMinutes: null, weight: 3, room: null, desk: 4 })
  assert.deepEqual(response, { kept: { settings: { priority: 2, weight: 3 }, data: { desk: 4 } } })
  const apart = mergeProviderService({ settings: {}, data: {} }, { participate: false })
  assert.deepEqual(apart, { kept: { settings: { participate: false }, data: {} } })
})

test("the integration's own keys for a provider are bounded too", () => {
  const data = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, 1]))
  const tooMuch = { invalid: { data: 'Can have at most 64 keys; remove some first.' } }
  assert.deepEqual(withSentences(mergeProviderService({ settings: {}, data: {} }, data)), tooMuch)
  // Stored integration data may have more than 64 keys, because older versions had no limit. An edit that leaves the
  // data unchanged is accepted nevertheless.
  assert.ok('kept' in mergeProviderService({ settings: {}, data }, { weight: 1 }))
})

test('a provider setting of a wrong type is never kept', () => {
  const response = mergeProviderService(
    { settings: {}, data: {} },
    { participate: 1, capacity: '2', price: 1.5, weight: 1 },
  )
  assert.ok('invalid' in response)
  assert.deepEqual(sentences(response.invalid), {
    participate: 'Must be true or false.',
    capacity: 'Must be a whole number.',
    price: 'Must be a whole number.',
  })
})

for (const [what, change, after] of [
  ['nothing', {}, {}],
  ['one setting', { capacity: 3 }, { capacity: 3 }],
  ['a price to none', { price: null }, { price: null }],
  ['all limits', { limits: { perServiceDay: 20 } }, { limits: { perServiceDay: 20 } }],
  [
    'a limit that does not bind',
    { limits: { perProviderDay: 9, perCustomerDay: null } },
    { limits: { perProviderDay: 9 } },
  ],
  ['no limits', { limits: {} }, { limits: {} }],
] as const)
  test(`a change of ${what} leaves the other settings`, () =>
    assert.deepEqual(mergeSettings(service.settings, change), { ...service.settings, ...after }))

test('a wrong name in data is told as wrong, though it differs from the name beside it too', () => {
  const answer = applyServiceChange(service, { name: 'One', data: { name: '' } })
  assert.deepEqual(withSentences(answer), { invalid: { 'data.name': expected.name } })
})
