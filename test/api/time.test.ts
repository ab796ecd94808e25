import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { command, endProcess, type Server, serve } from '../support/daybook.ts'
import { proved } from '../support/proof.ts'
import { scaled, seed, seededRandom } from '../support/scale.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { type AvailableSlot, inOneBucket } from '../support/test-site.ts'

const hour = 3600
const day = 86_400
const instant = (text: string) => Temporal.Instant.from(text).epochMilliseconds / 1000

interface Line {
  readonly what: string
  readonly zone: string
  readonly date: string
  readonly hours: string
  /** The duration of an appointment in minutes; 60 when absent. */
  readonly minutes?: number
  /** The first start in UTC; absent when `count` is 0. Each later start is one duration after the start before. */
  readonly first?: string
  readonly count: number
}

const whole = '00:00-24:00'
const corpus: readonly Line[] = [
  {
    what: 'a skipped half hour',
    zone: 'Australia/Lord_Howe',
    date: '2026-10-04',
    hours: '02:15-03:45',
    minutes: 15,
    first: '2026-10-03T15:45Z',
    count: 4,
  },
  {
    what: 'a day of 23.5 hours',
    zone: 'Australia/Lord_Howe',
    date: '2026-10-04',
    hours: whole,
    minutes: 30,
    first: '2026-10-03T13:30Z',
    count: 47,
  },
  {
    what: 'the day before a skipped date',
    zone: 'Pacific/Apia',
    date: '2011-12-29',
    hours: '09:00-12:00',
    first: '2011-12-29T19:00Z',
    count: 3,
  },
  { what: 'a skipped date', zone: 'Pacific/Apia', date: '2011-12-30', hours: whole, count: 0 },
  {
    what: 'the day after a skipped date',
    zone: 'Pacific/Apia',
    date: '2011-12-31',
    hours: '09:00-12:00',
    first: '2011-12-30T19:00Z',
    count: 3,
  },
  {
    what: 'a midnight that is skipped',
    zone: 'Asia/Beirut',
    date: '2026-03-29',
    hours: whole,
    first: '2026-03-28T22:00Z',
    count: 23,
  },
  {
    what: 'a midnight that is skipped',
    zone: 'Africa/Cairo',
    date: '2026-04-24',
    hours: whole,
    first: '2026-04-23T22:00Z',
    count: 23,
  },
  {
    what: 'a midnight that is skipped',
    zone: 'America/Santiago',
    date: '2026-09-06',
    hours: whole,
    first: '2026-09-06T04:00Z',
    count: 23,
  },
  {
    what: 'a midnight that is skipped',
    zone: 'America/Havana',
    date: '2026-03-08',
    hours: whole,
    first: '2026-03-08T05:00Z',
    count: 23,
  },
  {
    what: 'a day of 25 hours',
    zone: 'Africa/Cairo',
    date: '2026-10-29',
    hours: whole,
    first: '2026-10-28T21:00Z',
    count: 25,
  },
  {
    what: 'before Ramadan',
    zone: 'Africa/Casablanca',
    date: '2026-02-10',
    hours: '09:00-12:00',
    first: '2026-02-10T08:00Z',
    count: 3,
  },
  {
    what: 'in Ramadan',
    zone: 'Africa/Casablanca',
    date: '2026-03-01',
    hours: '09:00-12:00',
    first: '2026-03-01T09:00Z',
    count: 3,
  },
  {
    what: 'two hours skipped',
    zone: 'Antarctica/Troll',
    date: '2026-03-29',
    hours: '02:30-06:30',
    first: '2026-03-29T02:30Z',
    count: 2,
  },
  {
    what: 'quarters of an hour',
    zone: 'Asia/Kathmandu',
    date: '2026-06-01',
    hours: '09:00-12:00',
    first: '2026-06-01T03:15Z',
    count: 3,
  },
  {
    what: 'quarters of an hour in winter',
    zone: 'Pacific/Chatham',
    date: '2026-06-01',
    hours: '09:00-12:00',
    first: '2026-05-31T20:15Z',
    count: 3,
  },
  {
    what: 'quarters of an hour in summer',
    zone: 'Pacific/Chatham',
    date: '2026-12-01',
    hours: '09:00-12:00',
    first: '2026-11-30T19:15Z',
    count: 3,
  },
  {
    what: 'the first zone of the day',
    zone: 'Pacific/Kiritimati',
    date: '2026-06-01',
    hours: '09:00-12:00',
    first: '2026-05-31T19:00Z',
    count: 3,
  },
  {
    what: 'a rule of this year',
    zone: 'America/Vancouver',
    date: '2026-12-01',
    hours: '09:00-12:00',
    first: '2026-12-01T16:00Z',
    count: 3,
  },
  {
    what: 'the day summer time begins',
    zone: 'America/New_York',
    date: '2026-03-08',
    hours: '13:00-18:00',
    first: '2026-03-08T17:00Z',
    count: 5,
  },
  {
    what: 'an hour that comes twice',
    zone: 'Europe/Berlin',
    date: '2026-10-25',
    hours: '01:00-04:00',
    first: '2026-10-24T23:00Z',
    count: 4,
  },
  {
    what: 'over midnight into summer time',
    zone: 'Europe/Berlin',
    date: '2026-03-28',
    hours: '22:00-06:00',
    first: '2026-03-28T21:00Z',
    count: 7,
  },
]
const clocks = [
  { now: instant('2011-12-20T00:00Z'), holds: (line: Line) => line.date < '2020' },
  { now: instant('2026-01-05T00:00Z'), holds: (line: Line) => line.date > '2020' },
]

describe('the corpus of clock changes', () => {
  for (const { now, holds } of clocks) {
    const lines = corpus.filter(holds)
    let service: ServiceProcess
    before(async () => {
      const providers = lines.map(({ zone, date, hours, minutes = 60 }, index) => ({
        id: index + 1,
        name: zone,
        timezone: zone,
        weekly: {},
        overrides: [{ date, hours: [hours] }],
        services: { visit: { durationMinutes: minutes } },
      }))
      const services = [{ key: 'visit', name: 'Visit', durationMinutes: 60, horizonDays: 400 }]
      service = await startService({ now, site: { services, providers }, env: { DAYBOOK_LOG_LEVEL: 'error' } })
    })
    after(() => service.kill())

    lines.forEach(({ what, zone, date, hours, minutes = 60, first, count }, index) => {
      test(`${what}: ${hours} in ${zone} on ${date}`, async () => {
        const noon = instant(`${date}T12:00Z`)
        const query = { min_timestamp: noon - 4 * day, max_timestamp: noon + 4 * day, providers: index + 1 }
        const { body } = await service.call('GET', '/availability/get/', { query })
        const expected = Array.from({ length: count }, (_, at) => instant(first ?? '') + at * minutes * 60)
        assert.deepEqual(
          body.response.map(({ start }) => start),
          expected,
        )
        for (const slot of body.response) assert.equal(Number(slot.end) - Number(slot.start), minutes * 60)
      })
    })
  }

  test('an offset is not a zone and an alias is one', async () => {
    const service = await startService()
    const add = (timezone: string) =>
      service.call('POST', '/customers/add/', { body: { name: 'A', email: 'a@b.de', timezone } })
    for (const timezone of ['Asia/Calcutta', 'Europe/Kiev', 'US/Eastern', 'Etc/GMT+12'])
      assert.equal((await add(timezone)).status, 201, timezone)
    for (const timezone of ['+02:00', '-0500', 'UTC+2', 'Z', ''])
      assert.deepEqual(Object.keys((await add(timezone)).body.details), ['timezone'], timezone)
    await service.kill()
  })
})

/** Asserts that two long texts are equal; a failure shows where they differ first. */
function assertSame(text: string, expected: string, where: string): void {
  if (text === expected) return
  const at = Array.from(text).findIndex((letter, index) => letter !== expected[index])
  const around = (of: string) => of.slice(Math.max(0, at - 300), at + 300)
  assert.equal(around(text), around(expected), `${where}, from character ${at} on`)
}

const zones = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Australia/Lord_Howe']
const locales = ['C', 'de_DE.UTF-8', 'tr_TR.UTF-8']

describe('the same site on servers in other zones', () => {
  // The clock does not start at a multiple of 15 minutes, because a slot that starts exactly at the end of the lead
  // time would disappear a second later.
  const now = instant('2026-10-23T09:01Z')
  const window = { min_timestamp: now, max_timestamp: now + 14 * day }
  let service: ServiceProcess
  before(async () => {
    service = await startService({ now, serve: ['--demo'] })
  })
  after(() => service.kill())

  test('two adjacent windows return what one window returns', async (t) => {
    const random = seededRandom(seed)
    const offered = async (from: number, until: number) => {
      const query = { min_timestamp: from, max_timestamp: until }
      const { body, status } = await service.call<{ response: AvailableSlot[] }>('GET', '/availability/get/', { query })
      assert.equal(status, 200)
      return body.response
    }
    const cases = scaled(20)
    for (let count = 0; count < cases; count += 1) {
      const [from = 0, between = 0, until = 0] = [random(), random(), random()]
        .map((share) => now + Math.floor(share * 10 * day))
        .toSorted((a, b) => a - b)
      const [first, second, whole] = await inOneBucket(() =>
        Promise.all([offered(from, between), offered(between, until), offered(from, until)]),
      )
      assert.deepEqual([...first, ...second], whole, `${from} ${between} ${until}; seed ${seed}`)
    }
    proved(t, 'T1 windows', { windows: cases })
  })

  test('responses are byte-identical under every zone and locale of the server', async (t) => {
    await service.stop()
    const places = zones.flatMap((zone, at) =>
      // With a `DAYBOOK_TEST_SCALE` of 1.5 or more, every combination of zone and locale is tested, otherwise each zone
      // once and each locale at least once.
      locales.filter((_, index) => scaled(1) > 1 || index === at % locales.length).map((locale) => ({ zone, locale })),
    )
    const args = ['--data-dir', service.dataDir]
    let first: readonly string[] | undefined
    let answers = 0
    for (const { zone, locale } of places) {
      const env = { ...process.env, TZ: zone, LANG: locale, LC_ALL: locale, DAYBOOK_NOW: String(now) }
      const server = await serve(args, env)
      const found = [
        ...(await everything(server)),
        (await command(['export', '--with-reservations', ...args], env)).stdout,
      ]
      await endProcess(server.child, 'SIGTERM')
      first ??= found
      answers += found.length
      for (const [at, text] of found.entries()) assertSame(text, first[at] ?? '', `${zone} ${locale}`)
    }
    proved(t, 'T1 places', { places: places.length, answers })
  })

  /** Returns the bodies of every GET route of the API, without values that depend on the time of the request. */
  async function everything(server: Server): Promise<string[]> {
    const ask = async (path: string, query: Readonly<Record<string, string | number>> = {}) => {
      const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
      const headers = { Authorization: `Bearer ${service.readToken}` }
      const answer = await fetch(`${server.url}/api/v1${path}?${search}`, { headers })
      assert.equal(answer.status, 200, path)
      return (await answer.text()).replaceAll(/("availabilityId":)"[^"]*"/g, '$1""')
    }
    const slots = await ask('/availability/get/', window)
    const { response }: { response: { serviceId: string; providerId: number; start: number }[] } = JSON.parse(slots)
    assert.ok(response.length > 500, `${response.length} slots`)
    const answers = [
      slots,
      await ask('/auth/verify/'),
      await ask('/services/get/', { full: 'true' }),
      await ask('/providers/get/'),
      await ask('/customers/get/'),
      await ask('/reservations/get/', { full: 'true', past: 'true' }),
    ]
    for (const { serviceId, providerId, start } of response.filter((_, index) => index % 200 === 0))
      for (const at of [start, start + hour / 2])
        answers.push(lasting(await ask('/availability/explain/', { serviceId, providerId, start: at })))
    for (let after = ''; ; ) {
      const page = await ask('/events/get/', { limit: 500, ...(after !== '' && { after }) })
      const { response: events }: { response: { seq: string }[] } = JSON.parse(page)
      answers.push(page)
      after = events.at(-1)?.seq ?? ''
      if (events.length < 500) return answers
    }
  }
})

/**
 * Returns the verdicts in a response of `/availability/explain/`, without those of the rules `lead_time` and `horizon`,
 * whose values change every second.
 */
function lasting(explained: string): string {
  const { response }: { response: { rules: readonly { rule: string }[] } } = JSON.parse(explained)
  return JSON.stringify(response.rules.filter(({ rule }) => rule !== 'lead_time' && rule !== 'horizon'))
}
