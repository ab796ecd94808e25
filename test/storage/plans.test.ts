import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CompiledQuery, sql } from 'kysely'
import { blockedTimes, sharedOfServices } from '../../src/availability/plan.sql.ts'
import { averageRatings } from '../../src/booking-page/funnel/funnel.sql.ts'
import { countUnverified } from '../../src/booking-page/manage/manage.sql.ts'
import { deleteEndedBusyTimes } from '../../src/calendars/calendars.sql.ts'
import { listWritten } from '../../src/calendars/destinations/destinations.sql.ts'
import { listTimeOff } from '../../src/catalogue/time-off/time-off.sql.ts'
import { listPaymentsBy } from '../../src/customers/erasure/exported.sql.ts'
import { moveTraces } from '../../src/customers/erasure/traces.sql.ts'
import { countVisitsOf, listVisits } from '../../src/customers/search/customer-search.sql.ts'
import type { Database } from '../../src/db/database.ts'
import { sqlite } from '../../src/db/dialects.ts'
import { beginning, readFeed } from '../../src/db/log/event-log.ts'
import { pageHistory } from '../../src/history/history.sql.ts'
import { jobFigures, listJobs } from '../../src/jobs/list.ts'
import { listUpcoming } from '../../src/notifications/upcoming.sql.ts'
import type { Operations } from '../../src/operations.ts'
import { countByDay, sumPrices, sumReserved } from '../../src/reports/period.sql.ts'
import { countNoShows } from '../../src/reservations/attendance/no-shows.sql.ts'
import { listExamined } from '../../src/reservations/conflicts/conflicts.sql.ts'
import { listExpiredReservations } from '../../src/reservations/holds/holds.sql.ts'
import { listMatching, type ReservationCriteria } from '../../src/reservations/list/reservation-search.sql.ts'
import { pageReservations } from '../../src/reservations/reservations.sql.ts'
import { listUndoings } from '../../src/undo/undo.sql.ts'
import { clearErasedResponses } from '../../src/webhooks/attempts.sql.ts'
import { listEventsBetween, pageDeliveries } from '../../src/webhooks/deliveries.sql.ts'
import { withStorage } from '../support/databases.ts'

const operations = new URL('../../src/operations.ts', import.meta.url)
const period = { start: 1_800_000_000, end: 1_800_086_400 }
const days = [period, { start: period.end, end: period.end + 86_400 }]
const page = { limit: 50, offset: 9_950 }
const ofCustomer = /^SEARCH reservation USING INDEX reservation_by_customer \(customer_id=\?\)$/
const anyHistory = { actor: undefined, from: undefined, until: undefined }
const byProvider = (more: ReservationCriteria = {}) => ({ providerId: 7, ...more })

const figures: [string, (db: Database) => Promise<unknown>][] = [
  ['counts by day', (db) => countByDay(db, days, undefined)],
  ['counts by day of one provider', (db) => countByDay(db, days, [7])],
  ['reserved time by provider', (db) => sumReserved(db, period, [1, 2])],
  ['incomes', (db) => sumPrices(db, period, undefined)],
]
for (const [name, read] of figures)
  test(`${name} are all found by an index, without sorting to count each slot once`, async () => {
    const steps = await stepsOf(read)
    for (const step of steps.filter((one) => one.includes('reservation')))
      assert.match(step, /^SEARCH .* COVERING INDEX/)
    assert.ok(!steps.includes('USE TEMP B-TREE FOR DISTINCT'), steps.join('\n'))
  })

const lists: [string, ReservationCriteria][] = [
  ['everything', {}],
  ['a period', { from: period.start, until: period.end }],
  ['one provider', byProvider()],
  ['one provider and a status', byProvider({ status: 'confirmed' })],
  ['one provider and a service', byProvider({ serviceId: 's' })],
]
for (const [name, sought] of lists)
  test(`a page of the reservations of ${name} skips earlier pages within an index`, async () => {
    const steps = await stepsOf((db) => listMatching(db, sought, 'start', page))
    const [found, ...looked] = steps.filter((step) => step.includes('reservation'))
    assert.match(found ?? '', /COVERING INDEX reservation_by_/)
    assert.deepEqual(looked, ['SEARCH reservation USING INDEX sqlite_autoindex_reservation_1 (id=?)'])
  })

for (const [common, index] of [
  [false, 'reservation_by_customer'],
  [true, 'reservation_by_start'],
] as const)
  test(`reservations of ${common ? 'common' : 'few'} customers are ${common ? 'found along the starts' : 'looked up'}`, async () => {
    const sought = { customerIds: ['c_1', 'c_2'], common }
    const steps = await stepsOf((db) => listMatching(db, sought, 'start', page))
    assert.match(steps.find((step) => step.includes('reservation')) ?? '', new RegExp(index))
  })

test('the undo of entries is found in its index, however long the log', async () => {
  const steps = await stepsOf((db) => listUndoings(db, ['e_1', 'e_2']))
  const found = steps.filter((step) => step.includes('event'))
  assert.deepEqual(new Set(found), new Set(['SEARCH event USING INDEX event_by_undid (undid=?)']))
})

for (const filter of [{}, { state: 'due' }, { state: 'parked' }] as const)
  test(`a page of the queue of jobs (${JSON.stringify(filter)}) is read along an index, without sorting`, async () => {
    const steps = (await stepsOf((db) => listJobs(db, filter, page))).filter((step) => /\bjob\b|B-TREE/.test(step))
    assert.ok(steps.length > 0)
    for (const step of steps)
      assert.match(step, /^(?:SCAN|SEARCH) job USING (?:COVERING )?INDEX job_(?:by_time|state)\b/)
  })

test('the figures of the queue of jobs are counted within an index', async () => {
  const steps = (await stepsOf((db) => jobFigures(db, 0))).filter((step) => /\bjob\b|B-TREE/.test(step))
  assert.equal(steps.length, 5, steps.join('\n'))
  for (const step of steps) assert.match(step, /^SEARCH job USING COVERING INDEX job_state \(state=\?/)
})

// Statements that ran over the whole history, or over the whole future, because SQLite preferred an index on a column
// with few values. Each is listed with the step that must find its rows.
const bounded: [string, (db: Database) => Promise<unknown>, RegExp][] = [
  [
    'the blocked time of a period',
    (db) => db.run(blockedTimes, { providers: [1], from: period.start, until: period.end, except: '' }),
    /^SEARCH busy USING INDEX busy_by_provider \(provider_id=\? AND end_at>\? AND end_at<\?\)$/,
  ],
  [
    'collective reservations of a period',
    (db) => db.run(sharedOfServices, { services: ['s_1'], from: period.start, until: period.end, except: '' }),
    /^SEARCH reservation USING INDEX reservation_by_service \(service_id=\? AND start_at>\? AND start_at<\?\)$/,
  ],
  [
    'the time off of a period',
    (db) => listTimeOff(db, { providerId: 1, from: period.start, until: period.end }),
    /^SEARCH busy USING INDEX busy_by_provider \(provider_id=\? AND end_at>\? AND end_at<\?\)$/,
  ],
  [
    'events of some kinds after a position',
    (db) => readFeed(db, { after: beginning, limit: 10, kinds: ['reservation'] }),
    /^SEARCH event USING INDEX sqlite_autoindex_event_2 \(\(tx,n\)>\(\?,\?\)\)$/,
  ],
  [
    'events of some kinds in a range',
    (db) => listEventsBetween(db, { after: beginning, until: { tx: 9, n: 9 }, kinds: ['reservation'], limit: 10 }),
    /^SEARCH event USING INDEX sqlite_autoindex_event_2 \(\(tx,n\)>\(\?,\?\)/,
  ],
  [
    'the history of one object',
    (db) => pageHistory(db, { ...anyHistory, objectId: 'r_1', type: 'reservation' }, { limit: 30, offset: 0 }),
    /^SEARCH event USING (?:COVERING )?INDEX event_by_object \(kind=\? AND object_id=\?\)$/,
  ],
  [
    'the accounts to which reservations are written',
    (db) => listWritten(db, ['r_1']),
    /^SEARCH occupancy USING INDEX occupancy_by_reservation \(reservation_id=\?\)$/,
  ],
  [
    'the no-shows of customers',
    (db) => countNoShows(db, ['c_1'], 0),
    /^SEARCH reservation USING INDEX reservation_by_customer \(customer_id=\? AND start_at>\?\)$/,
  ],
  ['the attendance of a customer', (db) => countVisitsOf(db, 'c_1', undefined), ofCustomer],
  ['the visits of customers to one provider', (db) => listVisits(db, ['c_1'], { ofProvider: 7, now: 0 }), ofCustomer],
  [
    'unverified bookings of an address',
    (db) => countUnverified(db, 'a@b.example', 0),
    /^SEARCH reservation USING INDEX reservation_by_(?:customer \(customer_id=\?\)|expiry \(expires_at>\?\))$/,
  ],
  [
    'expired reservations',
    (db) => listExpiredReservations(db, 0),
    /^SEARCH reservation USING INDEX reservation_by_expiry \(expires_at<\?\)$/,
  ],
  [
    'reservations with a status that have not ended',
    (db) => pageReservations(db, { status: 'confirmed', endsAfter: period.start }, page),
    /^SEARCH reservation USING INDEX reservation_by_status \(status=\? AND start_at>\?\)$/,
  ],
  [
    'reservations of a provider with a status that have not ended',
    (db) => pageReservations(db, { providerIds: [7], status: 'confirmed', endsAfter: period.start }, page),
    /^SEARCH reservation USING INDEX reservation_by_provider \(provider_id=\? AND start_at>\?\)$/,
  ],
  [
    'upcoming reservations to check for conflicts',
    (db) => listExamined(db, { provider: undefined, start: period.start, id: '', most: 400 }),
    /^SEARCH reservation USING INDEX reservation_by_start \(start_at>\?\)$/,
  ],
  [
    'upcoming reservations of a provider to check for conflicts',
    (db) => listExamined(db, { provider: 7, start: period.start, id: '', most: 400 }),
    /^SEARCH reservation USING INDEX reservation_by_provider \(provider_id=\? AND start_at>\?\)$/,
  ],
  [
    'reservations for which reminders are planned',
    (db) => listUpcoming(db, { after: 'r_1', now: 0, limit: 200 }),
    /^SEARCH reservation USING INDEX sqlite_autoindex_reservation_1 \(id>\?\)$/,
  ],
  [
    'ended busy times of calendars',
    (db) => deleteEndedBusyTimes(db, 0, 100),
    /^SEARCH busy USING INDEX busy_of_calendars \(end_at<\?\)$/,
  ],
  [
    'the average ratings of services',
    (db) => averageRatings(db, 0),
    /^SEARCH rating USING INDEX rating_by_time \(created_at>\?\)$/,
  ],
  [
    'the payments in the export of a customer',
    (db) => listPaymentsBy(db, 'c_1'),
    /^SEARCH payment USING INDEX payment_by_customer \(customer_id=\?\)$/,
  ],
  [
    'the payments of a customer who is merged into another',
    (db) => moveTraces(db, 'c_1', 'c_2', 0),
    /^SEARCH payment USING (?:COVERING )?INDEX payment_by_customer \(customer_id=\?\)$/,
  ],
  [
    'the deliveries of erased events',
    clearErasedResponses,
    /^SEARCH webhook_delivery USING INDEX webhook_delivery_event \(event_id=\?\)$/,
  ],
  [
    'the deliveries that a search of the delivery log names',
    (db) => pageDeliveries(db, { search: 'e_1' }, page),
    /^SEARCH webhook_delivery USING INDEX webhook_delivery_event \(event_id=\?\)$/,
  ],
]
const boundedTable = /\b(?:busy|event|occupancy|reservation|payment|rating|webhook_attempt|webhook_delivery)\b/
for (const [name, read, found] of bounded)
  test(`${name} are found without reading what the question does not concern`, async () => {
    const steps = (await stepsOf(read)).filter((step) => boundedTable.test(step))
    assert.ok(
      steps.some((step) => found.test(step)),
      steps.join('\n'),
    )
    // A scan, or a search by a column with few values alone, reads most of a table.
    const whole = steps.filter((step) => /^SCAN (?!wanted|json_each)|\((?:kind|status)=\?\)$/.test(step))
    assert.deepEqual(whole, [])
  })

/** Runs reads and returns the steps of SQLite's query plans for their statements. */
async function stepsOf(read: (db: Database) => Promise<unknown>): Promise<string[]> {
  const steps: string[] = []
  await withStorage<Operations>('sqlite', operations, async ({ db }) => {
    const explain = async (query: CompiledQuery) => {
      const plan: CompiledQuery<{ detail: string }> = { ...query, sql: `explain query plan ${query.sql}` }
      steps.push(...(await db.build.executeQuery(plan)).rows.map(({ detail }) => detail))
    }
    const build = sqlite.builderOver(async (query) => {
      await explain(query)
      // The database is open to read only.
      return /^(?:delete|update)/.test(query.sql) ? { rows: [] } : db.build.executeQuery(query)
    })
    const run: Database['run'] = async (query, values) => {
      const { text, parameters } = query.statement(sqlite)
      await explain({ ...sql`select 1`.compile(db.build), sql: text, parameters: parameters(values) })
      return db.run(query, values)
    }
    await read({ dialect: db.dialect, run, build })
  })
  return steps
}
