import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  defaultServiceSettings,
  effectiveSettings,
  type RoutingMode,
  routingModes,
} from '../../catalogue/services/service.ts'
import { nextInLine, type PoolMember, portions } from './fairness.ts'

const service = {
  id: 's',
  name: '',
  description: '',
  color: null,
  settings: defaultServiceSettings,
  data: {},
  form: [],
}

/**
 * Parses members: `1*3:4/10` is provider 1 with weight and priority 3, 4 reservations in the period and 10 assignments.
 */
function members(...texts: readonly string[]): PoolMember[] {
  return texts.map((text) => {
    const [id = 0, weight = 0, got = 0, count = 0] = text.split(/[*:/]/).map(Number)
    return {
      rule: effectiveSettings(service, id, { weight, priority: weight }),
      assigned: { count, lastAt: count === 0 ? 0 : 100 - id, turn: 0 },
      got,
    }
  })
}

const said: [RoutingMode, PoolMember[], string][] = [
  ['weighted', members('1*3:5/10', '2*1:3/10'), '0.75 6 5; 0.25 2 -5'],
  ['weighted', members('1*0:5/10', '2*0:3/6'), '0.5 4 -2; 0.5 4 2'],
  ['weighted', members('1*0:0/0', '2*2:8/8'), '0 0 0; 1 8 0'],
  ['round_robin', members('1*3:5/10', '2*1:3/10'), '0.5 4 null; 0.5 4 null'],
  ['random', members('1*1:0/0', '2*1:0/0'), '0.5 0 null; 0.5 0 null'],
  ['priority', members('1*3:5/10'), 'null null null'],
  ['direct', members('1*3:5/10'), 'null null null'],
]
for (const [mode, of, shares] of said)
  test(`${mode}: ${of.map(({ rule, got }) => `${rule.weight} got ${got}`).join(', ')} should have had ${shares}`, () => {
    assert.equal(
      portions(mode, of)
        .map(({ share, expected, due }) => `${share} ${expected} ${due}`)
        .join('; '),
      shares,
    )
  })

test('what is made up for adds up to nothing', () => {
  const due = portions('weighted', members('1*3:5/17', '2*1:3/4', '3*7:1/9')).map((one) => one.due ?? 0)
  assert.ok(Math.abs(due.reduce((one, other) => one + other, 0)) < 1e-9)
})

test('the next provider is the one that routing would pick, and none where that depends on the slot', () => {
  const of = members('1*1:0/5', '2*3:0/5')
  const next = routingModes.map((mode) => [mode, nextInLine(mode, of)])
  assert.deepEqual(Object.fromEntries(next), {
    direct: undefined,
    round_robin: 2,
    least_busy: undefined,
    priority: 2,
    weighted: 2,
    random: undefined,
    collective: undefined,
  })
  assert.equal(nextInLine('weighted', []), undefined)
})
