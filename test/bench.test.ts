import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { type Measured, page, updated } from '../bench/page.ts'
import { picture } from '../bench/picture.ts'

const origin = { file: 'p90-one', date: '2026-11-01', machine: '2 processors' }
const figure = {
  figure: 'P90',
  name: 'one thing against another',
  unit: 'times',
  value: 1.234,
  spread: [1.1, 1.4],
  bar: '<= 1.3',
  held: true,
  ...origin,
} as const
const growth = {
  figure: 'P90',
  name: 'Cost with size',
  x: 'rows',
  y: 'µs',
  points: [
    [0, 50],
    [10_000, 51],
    [1_000_000, 52],
  ],
  ...origin,
} as const
const known: Measured = { figures: [figure], growths: [growth] }

test('a benchmark runs and reports its figure, even in a meaningless short round', async () => {
  const run = join(import.meta.dirname, '../bench/run.ts')
  const child = spawn(process.execPath, [run, '--quick', 'p19'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  assert.match(printed, /^P19 +(held|MISSED) +[\d.,]+ ms .*bar <= 500: start to ready/m)
  assert.doesNotMatch(printed, /FAILED/)
  assert.equal(code, 0)
})

test('an unknown benchmark is reported', async () => {
  const run = join(import.meta.dirname, '../bench/run.ts')
  const child = spawn(process.execPath, [run, '--quick', 'p99'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  assert.match(printed, /No benchmark begins like that/)
  assert.equal(code, 1)
})

test('the page has a line per figure and a chart per growing cost', () => {
  const text = page(known)
  const line = '| P90 | one thing against another | <= 1.3 | 1.23 times | 1.1 to 1.4 | yes | 2026-11-01 |'
  assert.ok(text.includes(line), text)
  assert.ok(text.includes('![Cost with size](benchmarks/p90-cost-with-size.svg)'))
  assert.ok(text.includes('Measured on 2 processors.'))
})

test('a new measurement of one file replaces its earlier figures only', () => {
  const other = { ...figure, figure: 'P91', file: 'p91-other' }
  const again = updated(
    { figures: [figure, other], growths: [growth] },
    { figures: [{ ...figure, value: 2 }], growths: [] },
  )
  assert.deepEqual(
    again.figures.map((one) => [one.figure, one.value]),
    [
      ['P90', 2],
      ['P91', 1.234],
    ],
  )
  assert.deepEqual(again.growths, [])
})

test('a chart has a point for each size, further right for larger ones', () => {
  const places = [...picture(growth).matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) =>
    [x, y].map(Number),
  )
  assert.equal(places.length, 3)
  const [across, down] = [places.map(([x]) => x ?? 0), places.map(([, y]) => y ?? 0)]
  assert.deepEqual(
    across,
    across.toSorted((one, next) => one - next),
  )
  assert.deepEqual(
    down,
    down.toSorted((one, next) => next - one),
  )
})
