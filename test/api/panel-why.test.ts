import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser, type PanelBody } from '../support/browser-client.ts'
import { ana, awayDate, ben, cleo, dan, holiday } from '../support/clinic.ts'
import { withSentences } from '../support/sentences.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertRefused, at, onEachDatabase, type TestSite } from '../support/test-site.ts'

interface Verdict {
  readonly rule: string
  readonly ok: boolean
  readonly code?: string
  readonly message: object
  readonly value: unknown
  readonly setting: string
}

interface Day {
  readonly date: string
  readonly zone: string
  readonly hours: { readonly setting: string; readonly windows: readonly { start: number; end: number }[] }
  readonly starts: readonly {
    readonly start: number
    readonly end: number
    readonly bookable: boolean
    readonly rules: readonly Verdict[]
  }[]
}

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'manager')).browser
  })
  after(() => site.close())

  const ask = (
    browser: BrowserClient,
    service: string,
    provider: number,
    date: string,
  ): Promise<ApiResponse<PanelBody>> =>
    browser.get(`/why/?serviceId=${site.service(service)}&providerId=${provider}${date && `&date=${date}`}`)
  const refused = async (...asked: Parameters<typeof ask>): Promise<ApiResponse<AnyBody>> => asAny(await ask(...asked))
  const day = async (service: string, provider: number, date = ''): Promise<Day> => {
    const answer = await ask(desk, service, provider, date)
    assert.equal(answer.status, 200, answer.text)
    return dayIn(answer.body.response)
  }

  for (const service of ['plain', 'buffered', 'group', 'lead', 'twoAProvider', 'priority', 'collective'])
    test(`for ${service} exactly the listed starts are bookable, each as explain reports`, async () => {
      const date = site.nextDay()
      // The bookings fill one slot of Ana, take one of three seats of a group slot, and count towards a daily limit.
      await site.booked({ service: 'plain', provider: ana, on: date, nth: 3 })
      await site.booked({ service: 'group', provider: ana, on: date, nth: 4 })
      await site.booked({ service: 'twoAProvider', provider: ana, on: date, nth: 0 })
      const listed = await site.slots({ service, on: date })
      const free = listed.filter(({ eligibleProviderIds }) => eligibleProviderIds.includes(ana))
      const { starts } = await day(service, ana, date)
      assert.deepEqual(
        starts.filter(({ bookable }) => bookable).map(({ start }) => start),
        free.map(({ start }) => start),
      )
      assert.ok(starts.length > 0)
      for (const place of [0, 3, -1]) {
        const { listedStart, explained } = await inOneSecond(service, date, place)
        assert.deepEqual(listedStart, explained)
      }
    })

  /**
   * Returns the verdicts of all rules on one start, from the panel's list of a day and from `/availability/explain/`.
   * Both are requested within the same second, because the verdict of the rule `lead_time` changes every second.
   */
  async function inOneSecond(service: string, date: string, place: number) {
    for (;;) {
      const start = (await day(service, ana, date)).starts.at(place)
      assert.ok(start)
      const listedStart = { ...start, rules: start.rules.map(asExplained) }
      const query = { serviceId: site.service(service), providerId: ana, start: listedStart.start }
      const { body } = await site.get('/availability/explain/', query)
      const explained: unknown = body.response
      const earliest = listedStart.rules.find(({ rule }) => rule === 'lead_time')
      if (JSON.stringify(explained).includes(JSON.stringify(earliest)))
        return { listedStart: { ...listedStart, ...query }, explained }
    }
  }

  /**
   * Converts a verdict of the panel's API, whose `message` is a code with parameters, to the form of
   * `/availability/explain/`, which has the English `sentence` instead.
   */
  function asExplained({ rule, ok, code, message, value, setting }: Verdict) {
    return { rule, ok, ...(code !== undefined && { code }), sentence: withSentences(message), value, setting }
  }

  test('a day is the local one of the provider, however long its clock makes it', async () => {
    const autumn = await day('plain', cleo, '2026-11-01')
    assert.deepEqual([autumn.date, autumn.zone], ['2026-11-01', 'America/New_York'])
    assert.deepEqual(autumn.hours.windows, [
      { start: at('2026-11-01T09:00', autumn.zone), end: at('2026-11-01T17:00', autumn.zone) },
    ])
    assert.equal(autumn.starts.length, 16)
    assert.equal((await day('plain', cleo)).date, '2026-10-05')
  })

  test('a day without hours names the setting', async () => {
    for (const [provider, date, setting, starts] of [
      [ben, awayDate, 'provider.overrides[0].hours', 0],
      [ben, holiday, 'site.holidays', 0],
      [ana, holiday, 'provider.overrides[1].hours', 2],
    ] as const) {
      const listedStart = await day('plain', provider, date)
      assert.deepEqual([listedStart.hours.setting, listedStart.starts.length], [setting, starts])
    }
  })

  test('a provider without the service has that verdict at every start', async () => {
    const { starts } = await day('plain', dan, site.nextDay())
    for (const { bookable, rules } of starts) {
      assert.equal(bookable, false)
      assert.deepEqual(
        rules.filter(({ ok }) => !ok).map(({ rule }) => rule),
        ['provider_eligible'],
      )
    }
  })

  test('a provider without the service is not called free in time off', async () => {
    const date = site.nextDay()
    const [first] = (await day('plain', dan, date)).starts
    const away = { providerId: dan, start: first?.start, end: first?.end }
    assert.equal((await desk.post('/time-off/add/', away)).status, 200)
    const [{ rules = [] } = {}] = (await day('plain', dan, date)).starts
    assert.deepEqual(
      rules.filter(({ ok }) => !ok).map(({ rule }) => rule),
      ['provider_eligible', 'time_off'],
    )
  })

  test('the role provider sees explanations of their own calendar only', async () => {
    const { browser } = await insertSignedInUser(site, 'provider', { providerId: ana })
    assert.equal((await ask(browser, 'plain', ana, '')).status, 200)
    assertRefused(await refused(browser, 'plain', ben, ''), 404, 'provider_not_found', ['providerId'])
    const { body } = await browser.get('/why/choices/')
    const [own, ...others] = Object(body.response.providers)
    assert.deepEqual([own.id, own.name, others], [ana, 'Ana', []])
    assert.ok(own.serviceIds.includes(site.service('plain')))
    const nobody = (await insertSignedInUser(site, 'provider')).browser
    assertRefused(await refused(nobody, 'plain', ana, ''), 404, 'provider_not_found', ['providerId'])
    assert.deepEqual((await nobody.get('/why/choices/')).body.response.providers, [])
  })

  test('unknown ids are reported by name', async () => {
    const unknown = await desk.get(`/why/?serviceId=s_none&providerId=${ana}`)
    assertRefused(asAny(unknown), 404, 'service_not_found', ['serviceId'])
    assertRefused(await refused(desk, 'plain', 99, ''), 404, 'provider_not_found', ['providerId'])
    const wrong = await ask(desk, 'plain', ana, '2026-02-30')
    assert.equal(wrong.status, 400, wrong.text)
    assert.match(wrong.text, /"date"/)
  })
})

function dayIn(response: unknown): Day {
  return response as Day
}

function asAny(answer: ApiResponse<unknown>): ApiResponse<AnyBody> {
  return answer as ApiResponse<AnyBody>
}
