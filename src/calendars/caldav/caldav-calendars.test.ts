import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Script } from 'node:vm'
import { withProcessorTime } from '../../../test/support/processor-time.ts'
import { lastSegment } from './caldav-calendars.job.ts'

const paths = [
  ['/calendars/ana/work/', 'work'],
  ['/calendars/ana/one%20two.ics', 'one two.ics'],
  ['/calendars/ana/work?view=a/b#c', 'work'],
  ['/calendars/ana/work/#c', 'work'],
  ['/calendars/ana/%zz.ics', '%zz.ics'],
  ['', ''],
] as const
for (const [url, segment] of paths)
  test(`the last segment of ${url || 'an empty URL'} is ${segment || 'empty'}`, () =>
    assert.equal(lastSegment(url), segment))

test('a long URL of a CalDAV server does not block the thread', () => {
  const hostile = { lastSegment, url: `/ana/work${'#'.repeat(250_000)}\nx` }
  const script = new Script('lastSegment(url)')
  const { result, milliseconds } = withProcessorTime(() => script.runInNewContext(hostile, { timeout: 60_000 }))
  assert.equal(result, 'work')
  assert.ok(milliseconds < 2_000, `${milliseconds} ms`)
})
