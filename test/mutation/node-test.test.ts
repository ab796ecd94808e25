import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as standIn from './node-test.ts'

/**
 * Runs the tests that `declare` declares; returns their ids, and for each failed test `-`, its id and the error
 * message.
 */
async function resultsOf(declare: () => void, { wanted = /./, bail = false } = {}): Promise<string[]> {
  const results: string[] = []
  const suite = await standIn.declared('file', async () => declare())
  await standIn.runSuite(suite, {
    wants: (id) => wanted.test(id),
    begins: () => {},
    ended: ({ id, failure }) => {
      results.push(failure === undefined ? id : `-${id}: ${failure}`)
      return bail && failure !== undefined
    },
  })
  return results
}
const fails = (why: string) => () => {
  throw new Error(why)
}
const rejects = (why: string) => async () => fails(why)()
const passes = () => {}

test('each test is identified by its file, its suites and its name, and duplicates are distinguished', async () => {
  const results = await resultsOf(() => {
    standIn.test('one', passes)
    standIn.describe('suite', { timeout: 5 }, () => {
      standIn.test('one', { timeout: 5 }, passes)
      standIn.test('one', passes)
    })
  })
  assert.deepEqual(results, ['file > one', 'file > suite > one', 'file > suite > one #2'])
})

test('every failure is reported: of a test, of its hooks and of its end', async () => {
  const results = await resultsOf(() => {
    standIn.test('throws', fails('now'))
    standIn.test('rejects', rejects('later'))
    standIn.test('ends', (t) => t.after(fails('at the end')))
    standIn.test('passes', passes)
    for (const [name, hook] of [
      ['before', standIn.before],
      ['beforeEach', standIn.beforeEach],
      ['afterEach', standIn.afterEach],
      ['after', standIn.after],
    ] as const)
      standIn.describe(name, () => {
        hook(rejects(name))
        standIn.test('one', passes)
      })
  })
  assert.deepEqual(results, [
    '-file > throws: now',
    '-file > rejects: later',
    '-file > ends: at the end',
    'file > passes',
    '-file > before > one: before',
    '-file > beforeEach > one: beforeEach',
    '-file > afterEach > one: afterEach',
    'file > after > one',
    '-file > after > one: after',
  ])
})

test('hooks run around their tests in the order of node:test, and only for selected tests', async () => {
  const steps: string[] = []
  const step = (name: string) => () => void steps.push(name)
  const declare = () => {
    standIn.before(step('before'))
    standIn.after(step('after'))
    standIn.beforeEach(step('each'))
    standIn.test('one', step('one'))
    standIn.describe('inner', () => {
      standIn.before(step('inner before'))
      standIn.afterEach(step('inner each'))
      standIn.test('two', step('two'))
    })
    standIn.describe('left', { skip: 'for a reason' }, () => standIn.test('three', step('three')))
    standIn.test('four', { skip: true }, step('four'))
  }
  await resultsOf(declare)
  assert.deepEqual(steps, ['before', 'each', 'one', 'inner before', 'each', 'two', 'inner each', 'after'])
  steps.length = 0
  assert.deepEqual(await resultsOf(declare, { wanted: /one/ }), ['file > one'])
  assert.deepEqual(steps, ['before', 'each', 'one', 'after'])
  assert.deepEqual(await resultsOf(declare, { wanted: /four/ }), [])
})

test('a run that stops at the first failure stops there, and cleans up', async () => {
  const steps: string[] = []
  const results = await resultsOf(
    () => {
      standIn.after(() => void steps.push('after'))
      standIn.describe('suite', () => standIn.test('one', fails('now')))
      standIn.test('two', () => void steps.push('two'))
    },
    { bail: true },
  )
  assert.deepEqual([results, steps], [['-file > suite > one: now'], ['after']])
})
