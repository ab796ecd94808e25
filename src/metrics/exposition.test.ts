import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exposed } from './exposition.ts'
import { Histogram } from './histogram.ts'

const metric = { name: 'a_total', type: 'counter', labels: ['route'], says: 'Things.', look: '' } as const

test('a metric has its help, its type and one line per sample', () => {
  const samples = [
    { labels: ['/a/'], value: 2 },
    { labels: ['/"b"\\\n/'], value: 0.5 },
  ]
  assert.equal(
    exposed(metric, samples),
    '# HELP a_total Things.\n# TYPE a_total counter\na_total{route="/a/"} 2\na_total{route="/\\"b\\"\\\\\\n/"} 0.5\n',
  )
  assert.equal(exposed(metric, []), '')
})

test('a histogram counts each value at every bound that it does not exceed', () => {
  const value = new Histogram([1, 2])
  for (const one of [0.5, 1, 1.5, 9]) value.observe(one)
  const lines = exposed({ ...metric, name: 'h', type: 'histogram', labels: [] }, [{ labels: [], value }]).split('\n')
  assert.deepEqual(lines.slice(2, -1), [
    'h_bucket{le="1"} 2',
    'h_bucket{le="2"} 3',
    'h_bucket{le="+Inf"} 4',
    'h_sum 12',
    'h_count 4',
  ])
})
