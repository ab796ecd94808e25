import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arePublicHolidaysBusy, type HolidayQuestion, listPublicHolidays } from './public-holidays.ts'

const german: HolidayQuestion = { language: 'de', country: 'DE', year: 2027, years: 1 }
const datesOf = async (question: HolidayQuestion): Promise<Map<string, string>> =>
  new Map((await listPublicHolidays(question)).holidays.map(({ from, name }) => [from, name]))

test('a region has its own holidays besides those of the country, named in the language of the user', async () => {
  const [south, north] = [await datesOf({ ...german, state: 'BW' }), await datesOf({ ...german, state: 'HH' })]
  assert.deepEqual([south.get('2027-01-06'), north.get('2027-01-06')], ['Heilige Drei Könige', undefined])
  assert.deepEqual([south.get('2027-03-26'), north.get('2027-03-26')], ['Karfreitag', 'Karfreitag'])
  assert.equal((await datesOf({ ...german, language: 'en' })).get('2027-03-26'), 'Good Friday')
})

test('several years follow one another, and half holidays are left out', async () => {
  const { holidays } = await listPublicHolidays({ ...german, years: 3 })
  const dates = holidays.map(({ from }) => from)
  assert.deepEqual(dates, dates.toSorted())
  assert.deepEqual([...new Set(dates.map((date) => date.slice(0, 4)))], ['2027', '2028', '2029'])
  const halves = await datesOf({ ...german, country: 'FO', language: 'en' })
  assert.equal(halves.has('2027-12-31'), false)
})

test('countries and regions are listed by name, and an unknown place has no holidays', async () => {
  const { countries, states, holidays } = await listPublicHolidays(german)
  assert.ok(countries.length > 150)
  assert.deepEqual(
    states.slice(0, 2).map(({ code }) => code),
    ['BW', 'BY'],
  )
  assert.ok(holidays.length > 8)
  const nowhere = await listPublicHolidays({ ...german, country: 'XX' })
  assert.deepEqual([nowhere.states, nowhere.holidays], [[], []])
  const odd = await listPublicHolidays({ ...german, state: '__proto__', region: 'constructor' })
  assert.ok(odd.holidays.length > 8, 'an unknown region has the holidays of the country')
})

test('further questions are refused while many wait', async () => {
  const asked: Promise<unknown>[] = []
  while (!arePublicHolidaysBusy()) asked.push(listPublicHolidays({ ...german, country: 'CH' }))
  assert.ok(asked.length <= 12)
  await Promise.all(asked)
  assert.equal(arePublicHolidaysBusy(), false)
})
