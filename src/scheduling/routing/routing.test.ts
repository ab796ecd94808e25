import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RoutingMode } from '../../catalogue/services/service.ts'
import { sentence } from '../../messages/sentence.ts'
import type { Assigned } from '../plan/plan.ts'
import { choose, neverAssigned, type RoutingCandidate, reasonFor } from './routing.ts'

interface Given {
  readonly id: number
  readonly assigned?: Assigned
  readonly priority?: number
  readonly weight?: number
  readonly reserved?: number
}

const occasion = { bucket: 1, start: 1_800_000_000 }

for (const [what, mode, candidates, picked] of [
  ['whoever was never assigned goes first', 'round_robin', [{ id: 1, assigned: at(5) }, { id: 2 }], 2],
  [
    'whoever waited longest goes first',
    'round_robin',
    [
      { id: 1, assigned: at(9) },
      { id: 2, assigned: at(5) },
    ],
    2,
  ],
  [
    'within a second the turn decides',
    'round_robin',
    [
      { id: 1, assigned: at(5, 2) },
      { id: 2, assigned: at(5, 1) },
    ],
    2,
  ],
  ['equals go by the lowest id', 'round_robin', [{ id: 1 }, { id: 2 }], 1],
  [
    'fewest minutes that day',
    'least_busy',
    [
      { id: 1, reserved: 60 },
      { id: 2, reserved: 30 },
    ],
    2,
  ],
  [
    'equally busy go by the lowest id',
    'least_busy',
    [
      { id: 1, reserved: 30 },
      { id: 2, reserved: 30 },
    ],
    1,
  ],
  [
    'highest priority',
    'priority',
    [
      { id: 1, priority: 1 },
      { id: 2, priority: 3 },
      { id: 3, priority: 3 },
    ],
    2,
  ],
  [
    'the greatest weight begins',
    'weighted',
    [
      { id: 1, weight: 1 },
      { id: 2, weight: 3 },
    ],
    2,
  ],
  [
    'share furthest below weight',
    'weighted',
    [
      { id: 1, weight: 1 },
      { id: 2, weight: 3, assigned: count(4) },
    ],
    1,
  ],
  ['equal shares go by the lowest id', 'weighted', [{ id: 1 }, { id: 2 }], 1],
  [
    'weight 0 stands back',
    'weighted',
    [
      { id: 1, weight: 0 },
      { id: 2, weight: 1, assigned: count(99) },
    ],
    2,
  ],
  [
    'weight 0 comes in when nobody else is free',
    'weighted',
    [
      { id: 3, weight: 0, assigned: count(2) },
      { id: 4, weight: 0 },
    ],
    4,
  ],
  ['direct takes the one there is', 'direct', [{ id: 7 }], 7],
  ['collective is listed under the lowest', 'collective', [{ id: 3 }, { id: 4 }], 3],
] as const satisfies readonly (readonly [string, RoutingMode, readonly Given[], number])[])
  test(`${mode}: ${what}`, () => assert.equal(pick(mode, candidates), picked))

for (const [mode, given, reason] of [
  ['direct', {}, 'Provider 7 was requested.'],
  ['collective', {}, 'The service needs all its providers at once; provider 7 has the lowest id.'],
  ['round_robin', {}, 'Provider 7 has never been assigned.'],
  ['round_robin', { assigned: at(5) }, 'Provider 7 was assigned least recently, at 5.'],
  ['least_busy', { reserved: 90 }, 'Provider 7 has the fewest booked minutes that day: 90.'],
  ['priority', { priority: 3 }, 'Provider 7 has the highest priority among the available providers: 3.'],
  [
    'weighted',
    { weight: 2, assigned: count(4) },
    'Provider 7 is furthest below its share: weight 2, assignments so far 4.',
  ],
  ['random', {}, 'Provider 7 was chosen at random.'],
] as const satisfies readonly (readonly [RoutingMode, Omit<Given, 'id'>, string])[])
  test(`${mode} gives its reason: ${reason}`, () =>
    assert.equal(sentence(reasonFor(mode, candidate({ id: 7, ...given }), occasion)), reason))

test('the lot of a slot stays the same from one version to the next', () => {
  const all = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 2 ** 33 + 4 }]
  const drawn = Array.from({ length: 24 }, (_, turn) =>
    all.findIndex(
      ({ id }) => id === pick('random', all, { bucket: 2 ** 32 + turn, start: 1_800_000_000 + turn * 900 }),
    ),
  )
  assert.equal(drawn.join(''), '301201111313203131132210')
})

test('nobody is picked from nobody', () => assert.equal(choose('round_robin', [], occasion), undefined))

test('round robin gives everyone the same number of turns', () => {
  const counts = simulate('round_robin', [{ id: 1 }, { id: 2 }, { id: 3 }], 1000)
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, String(counts))
})

test('weighted shares come to the weights, and are never more than one turn away with two', () => {
  for (let turns = 1; turns < 400; turns += 1) {
    const [first = 0] = simulate(
      'weighted',
      [
        { id: 1, weight: 1 },
        { id: 2, weight: 4 },
      ],
      turns,
    )
    assert.ok(Math.abs(first - turns / 5) <= 1, `${first} of ${turns}`)
  }
  const counts = simulate(
    'weighted',
    [
      { id: 1, weight: 5 },
      { id: 2, weight: 3 },
      { id: 3, weight: 2 },
      { id: 4, weight: 0 },
    ],
    1000,
  )
  assert.deepEqual(counts, [500, 300, 200, 0])
})

test('random draws the same for a slot within a bucket, whoever else has gone', () => {
  const all = [{ id: 1 }, { id: 2 }, { id: 3 }]
  for (let start = 0; start < 100; start += 1) {
    const drawn = pick('random', all, { bucket: 4, start })
    assert.equal(pick('random', all, { bucket: 4, start }), drawn)
    const fewer = all.filter(({ id }) => id === drawn || id === 2)
    assert.equal(pick('random', fewer, { bucket: 4, start }), drawn)
  }
})

test('random favours nobody, over slots and over buckets', () => {
  const all = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]
  for (const occasionOf of [
    (turn: number) => ({ bucket: 7, start: 1_800_000_000 + turn * 1800 }),
    (turn: number) => ({ bucket: turn, start: 1_800_000_000 }),
  ]) {
    const counts = [0, 0, 0, 0]
    for (let turn = 0; turn < 4000; turn += 1) {
      const index = (pick('random', all, occasionOf(turn)) ?? 0) - 1
      counts[index] = (counts[index] ?? 0) + 1
    }
    for (const count of counts) assert.ok(count > 880 && count < 1120, String(counts))
  }
})

/** Returns how often each provider is assigned when every pick is booked. */
function simulate(mode: RoutingMode, given: readonly Given[], turns: number): number[] {
  const assigned = new Map<number, Assigned>()
  for (let turn = 1; turn <= turns; turn += 1) {
    const id =
      pick(
        mode,
        given.map((one) => ({ ...one, assigned: assigned.get(one.id) ?? neverAssigned })),
      ) ?? 0
    // Several assignments fall into one second, so that only `turn` orders them.
    assigned.set(id, { count: (assigned.get(id)?.count ?? 0) + 1, lastAt: Math.ceil(turn / 10), turn })
  }
  return given.map(({ id }) => assigned.get(id)?.count ?? 0)
}

function pick(mode: RoutingMode, given: readonly Given[], when = occasion): number | undefined {
  return choose(mode, given.map(candidate), when)?.rule.providerId
}

function candidate({ id, assigned = neverAssigned, priority = 0, weight = 1, reserved = 0 }: Given): RoutingCandidate {
  const rule = {
    serviceId: 's_1',
    providerId: id,
    duration: 1800,
    interval: 1800,
    bufferBefore: 0,
    bufferAfter: 0,
    capacity: 1,
    leadTime: 0,
    horizon: 86_400,
    price: null,
    currency: null,
    priority,
    weight,
  }
  return { rule, assigned, reserved: () => reserved * 60 }
}

function at(lastAt: number, turn = 0): Assigned {
  return { count: 1, lastAt, turn }
}

function count(times: number): Assigned {
  return { count: times, lastAt: times, turn: 0 }
}
