import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exposed, mergeExpositions } from './exposition.ts'
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

const text = (name: string, ...samples: readonly string[]) =>
  `# HELP ${name} About ${name}.\n# TYPE ${name} counter\n${samples.map((sample) => `${sample}\n`).join('')}`

test('the metrics of threads are listed by worker, also those that only a later thread has', () => {
  const first = text('start', 'start 1') + text('writes', 'writes 5')
  const second = text('requests', 'requests{route="a"} 2') + text('writes', 'writes 7')
  assert.equal(
    mergeExpositions([first, second]),
    text('start', 'start 1') +
      text('writes', 'writes{worker="1"} 5', 'writes{worker="2"} 7') +
      text('requests', 'requests{worker="2",route="a"} 2'),
  )
  assert.equal(mergeExpositions([first]), first)
})
