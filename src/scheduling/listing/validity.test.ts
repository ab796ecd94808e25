import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { plan, service } from '../../../test/support/plan.ts'
import type { Interval } from '../time/interval.ts'
import { singleSource } from './slot-source.ts'
import { dayLength, type OpenSource, utcDayOf, validityOfDay } from './validity.ts'

interface Times {
  readonly leadTimeMinutes: number
  readonly horizonDays: number
}

const hour = 3_600
const never = Number.POSITIVE_INFINITY
// A second past noon of day 10: no bound falls on another by chance.
const now = 10 * dayLength + dayLength / 2 + 1
const times = { leadTimeMinutes: 60, horizonDays: 2 }

/** What a slot source has open on a day of UTC. */
type DaySource = (day: number) => OpenSource

/** A slot source in which `all` are the starts that only lead time and horizon keep away, seen at `instant`. */
function open(all: readonly number[], { leadTimeMinutes, horizonDays }: Times, instant = now): DaySource {
  const [first, last] = [instant + leadTimeMinutes * 60, instant + horizonDays * dayLength]
  const [provider] = plan({}).providers
  assert.ok(provider)
  const slotSource = singleSource(service({ leadTimeMinutes, horizonDays }), provider)
  return (day) => {
    const own = all.filter((start) => utcDayOf(start) === day)
    const openings = {
      starts: own.filter((start) => start >= first && start <= last),
      overrides: new Map(),
      full: new Set<number>(),
      reserved: new Map(),
      tooSoon: own.findLast((start) => start < first) ?? -never,
      tooFar: own.find((start) => start > last) ?? never,
    }
    return { slotSource, openings }
  }
}

function validityOn(day: number, slotSources: readonly DaySource[], instant = now): Interval {
  return validityOfDay(
    slotSources.map((slotSource) => slotSource(day)),
    day,
    instant,
  )
}

/** The stretches of days 9 to 13, as seconds from now. */
function stretches(...slotSources: readonly DaySource[]): [number, number][] {
  return [9, 10, 11, 12, 13]
    .map((day) => validityOn(day, slotSources))
    .map(({ start, end }): [number, number] => [start - now, end - now])
}

/** From now to the first second of a day. */
const to = (day: number) => day * dayLength - now

test('a day of UTC begins at midnight, before 1970 too', () =>
  assert.deepEqual([0, 86_399, 86_400, -1].map(utcDayOf), [0, 0, 1, -1]))

test('days for which nothing can be booked stay as they are', () =>
  assert.deepEqual(stretches(), Array(5).fill([-never, never])))

test('a day is steady while lead time and horizon are outside of it, and while either meets no start within it', () =>
  assert.deepEqual(stretches(open([], times)), [
    [to(10) - hour, never],
    [to(9) - 1, never],
    [to(10) - 1, to(11) - hour + 1],
    [-never, to(12) - hour + 1],
    [-never, to(11)],
  ]))

test('the lead time changes its day as it leaves one start and as it reaches the next', () => {
  const [one, next] = [now + hour - 10, now + hour + 20]
  assert.deepEqual(stretches(open([one, next], times))[1], [-9, 21])
})

test('the horizon changes its day as it reaches the next start, and would have as it reached the last', () => {
  const [one, next] = [now + 2 * dayLength - 10, now + 2 * dayLength + 20]
  assert.deepEqual(stretches(open([one, next], times))[3], [-10, 20])
})

test('what bounds one day leaves the others alone', () => {
  const near = [now + hour - 10, now + hour + 20]
  const far = near.map((start) => start + 2 * dayLength - hour)
  const [past, , between, , after] = stretches(open([...near, ...far], times))
  assert.deepEqual(
    [past, between, after],
    [0, 2, 4].map((at) => stretches(open([], times))[at]),
  )
})

test('of several lanes each bounds the days, those of one kind by their own starts', () => {
  const slotSources = [open([now + hour - 10], times), open([now + hour + 20], times)]
  assert.deepEqual(stretches(...slotSources)[1], [-9, 21])
  const other = open([], { leadTimeMinutes: 24 * 60, horizonDays: 0 })
  const [past, , between] = stretches(...slotSources, other)
  assert.deepEqual(past, [to(10) - 1, never])
  assert.deepEqual(between, [to(10) - 1, to(11) - hour + 1])
})

test('lead time and horizon that end outside the days asked for bound them as whole days', () => {
  const slotSource = open([], { leadTimeMinutes: 0, horizonDays: 60 })
  const asSeen = [20, 21].map((day) => validityOn(day, [slotSource])).map(({ start, end }) => [start - now, end - now])
  assert.deepEqual(asSeen, [
    [to(21) - 1 - 60 * dayLength, to(20) + 1],
    [to(22) - 1 - 60 * dayLength, to(21) + 1],
  ])
})

// Six hours apart, and a second to either side: what is rare in a random second, two bounds at once, is frequent here.
const moment = fc
  .tuple(fc.integer({ min: 0, max: 24 }), fc.integer({ min: -1, max: 1 }))
  .map(([quarter, step]) => 10 * dayLength + quarter * 6 * hour + step)

test('at any instant of a stretch its day has the slots that it has now', () =>
  fc.assert(
    fc.property(
      fc.uniqueArray(moment, { maxLength: 8 }),
      moment,
      fc.constantFrom(0, 6 * 60, 24 * 60, 30 * 60 + 1),
      fc.integer({ min: 0, max: 3 }),
      (all, instant, leadTimeMinutes, horizonDays) => {
        const starts = all.toSorted((one, other) => one - other)
        const rule = { leadTimeMinutes, horizonDays }
        const slotSource = open(starts, rule, instant)
        for (let day = 9; day < 18; day += 1) {
          const stretch = validityOn(day, [slotSource], instant)
          const listedAt = (when: number) => open(starts, rule, when)(day).openings.starts
          assert.ok(stretch.start <= instant && instant < stretch.end, `now lies in the stretch of day ${day}`)
          for (const when of within(stretch)) assert.deepEqual(listedAt(when), listedAt(instant), `at ${when}`)
        }
      },
    ),
  ))

/** The first and the last second of a stretch; where it has none, one far away. */
function within({ start, end }: Interval): number[] {
  return [Math.max(start, 0), Math.min(end - 1, 100 * dayLength)]
}
