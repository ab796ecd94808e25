import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { publicApi } from '../../contract/public-api.ts'
import { RestRefusal } from '../response/errors.ts'
import { noFaults } from './faults.ts'
import { compileQueryParser } from './query.ts'

function read(row: keyof typeof publicApi, query: string): unknown {
  const faults = noFaults()
  const schema: TSchema = publicApi[row].query
  const taken = compileQueryParser(schema)(query, faults)
  faults.refuse('GET')
  return taken
}

/** Returns the names of the missing or invalid parameters. */
function faultsOf(row: keyof typeof publicApi, query: string): readonly string[] {
  try {
    read(row, query)
  } catch (error) {
    assert.ok(error instanceof RestRefusal && 'data' in error.failure && 'params' in error.failure.data)
    const { params } = error.failure.data
    return Array.isArray(params) ? params : Object.keys(params)
  }
  return []
}

const reservations = 'GET /reservations/get/'
const availability = 'GET /availability/get/'

const taken = [
  [reservations, '', {}],
  [reservations, 'full=TRUE&past=0', { full: true, past: false }],
  [reservations, 'full=on&past=Off', { full: true, past: false }],
  [reservations, 'full=YES&past=no', { full: true, past: false }],
  [reservations, 'full=1&past=', { full: true, past: false }],
  [reservations, 'full&unknown=1&unknown=2', { full: false }],
  [reservations, 'services=a,%20b%20,,c', { services: ['a', 'b', 'c'] }],
  [reservations, 'services=&customers=,&providers=%20', {}],
  [reservations, 'providers=3,x,04,5,-1,1.0,0', { providers: [3, 5] }],
  [reservations, 'providers=x', { providers: [] }],
  [reservations, 'services=a%00b,%FF', { services: ['a\uFFFDb', '\uFFFD'] }],
  [reservations, 'status=pending&page=2&per_page=500', { status: 'pending', page: 2, per_page: 500 }],
  [availability, 'min_timestamp=-5&max_timestamp=9007199254740991', { min_timestamp: -5, max_timestamp: 2 ** 53 - 1 }],
] as const

for (const [row, query, becomes] of taken) {
  test(`${row}?${query} is parsed`, () => assert.deepEqual(read(row, query), becomes))
}

const refused = [
  [reservations, 'full=maybe', ['full']],
  [reservations, 'past=2', ['past']],
  [reservations, 'status=Pending', ['status']],
  [reservations, 'status=', ['status']],
  [reservations, 'full=1&full=1', ['full']],
  [reservations, 'page=0&per_page=501', ['page', 'per_page']],
  [reservations, 'page=1.5', ['page']],
  [reservations, 'per_page=', ['per_page']],
  [availability, '', ['min_timestamp', 'max_timestamp']],
  [availability, 'min_timestamp=1', ['max_timestamp']],
  [availability, 'min_timestamp=&max_timestamp=1e3', ['min_timestamp', 'max_timestamp']],
  [availability, 'min_timestamp=0x10&max_timestamp=+5', ['min_timestamp', 'max_timestamp']],
  [availability, 'min_timestamp=9007199254740992&max_timestamp=1', ['min_timestamp']],
  [availability, 'min_timestamp=1&min_timestamp=1&max_timestamp=2', ['min_timestamp']],
] as const

for (const [row, query, names] of refused) {
  test(`${row}?${query} is refused for ${names.join(' and ')}`, () => assert.deepEqual(faultsOf(row, query), names))
}
