import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, awayDate, ben, cleo, dan, dayLong, now } from '../support/clinic.ts'
import type { ApiResponse } from '../support/service.ts'
import { assertRefused, assertRestError, at, onEachDatabase, present, type TestSite } from '../support/test-site.ts'

interface Verdict {
  readonly rule: string
  readonly ok: boolean
  readonly code?: string
  readonly sentence: string
  readonly value: unknown
  readonly setting: string
}

interface Explanation {
  readonly bookable: boolean
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
  readonly rules: readonly Verdict[]
}

const rules = [
  'service_active',
  'provider_eligible',
  'lead_time',
  'horizon',
  'opening_hours',
  'time_off',
  'calendar',
  'occupancy',
  'capacity',
  'limits',
]

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  const explain = async (service: string, providerId: number, start: number): Promise<Explanation> => {
    const query = { serviceId: site.service(service), providerId, start }
    const response: ApiResponse<{ status: string; response: Explanation }> = await site.server.call(
      'GET',
      '/availability/explain/',
      { query, token: site.server.readToken },
    )
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(Object.keys(response.body), ['status', 'response'])
    return response.body.response
  }
  /**
   * Returns the verdict (rule, result and code) of the first scheduling rule that refuses a slot. Fails unless the API
   * refuses to move a reservation to the slot with the code of that verdict.
   */
  const refusal = async (service: string, provider: number, start: number): Promise<Verdict> => {
    const { bookable, rules: verdicts } = await explain(service, provider, start)
    const first = present(verdicts.find((verdict) => !verdict.ok))
    assert.equal(bookable, false)
    const { id } = await site.booked({ service: 'twoADay', provider: ben })
    const move = { serviceId: site.service(service), providerId: provider, start }
    assertRefused(await site.assertUnchanged(() => site.edit(id, move)), 403, first.code ?? '')
    return first
  }

  test('a bookable slot passes every rule, in order, each with its setting', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    const { rules: verdicts, ...rest } = await explain('plain', ana, slot.start)
    assert.deepEqual(rest, {
      bookable: true,
      serviceId: slot.serviceId,
      providerId: ana,
      start: slot.start,
      end: slot.end,
    })
    assert.deepEqual(
      verdicts.map((verdict) => verdict.rule),
      rules,
    )
    for (const verdict of verdicts) {
      assert.deepEqual(Object.keys(verdict), ['rule', 'ok', 'sentence', 'value', 'setting'])
      assert.equal(verdict.ok, true)
      assert.match(verdict.sentence, /^[A-Z].*\.$/)
      assert.match(verdict.setting, /^[a-z]/)
    }
  })

  test('a disabled service and a provider who may not give it are explained', async () => {
    const start = at('2026-11-20T09:00')
    const inactive = await refusal('inactive', ana, start)
    assert.deepEqual(
      [inactive.rule, inactive.code, inactive.setting],
      ['service_active', 'service_inactive', 'service.active'],
    )
    const restricted = await refusal('plain', dan, start)
    assert.deepEqual([restricted.rule, restricted.setting], ['provider_eligible', 'provider.allowedServices'])
    assert.deepEqual(restricted.value, [])
    const taken = await site.booked({ service: 'plain', provider: cleo, on: site.nextDay() })
    const failed = (await explain('own', cleo, taken.start)).rules.flatMap(({ rule, ok }) => (ok ? [] : [rule]))
    assert.deepEqual(failed, ['provider_eligible', 'occupancy'])
    const apart = await refusal('own', ben, start)
    assert.equal(apart.setting, `provider.services.${site.service('own')}.participate`)
  })

  test('lead time and horizon are explained with the applicable bound', async () => {
    const lead = await refusal('lead', ana, at('2026-10-05T15:00'))
    assert.deepEqual([lead.rule, lead.code, lead.setting], ['lead_time', 'slot_lead_time', 'service.leadTimeMinutes'])
    assert.ok(Math.abs(Number(lead.value) - now - dayLong) < 600)
    const horizon = await refusal('horizon', ana, at('2026-10-09T09:00'))
    assert.deepEqual([horizon.rule, horizon.code, horizon.setting], ['horizon', 'slot_horizon', 'service.horizonDays'])
    assert.ok(Math.abs(Number(horizon.value) - now - 3 * dayLong) < 600)
  })

  test('opening hours are explained with the windows of the day and their setting', async () => {
    const early = await refusal('plain', ana, at('2026-11-20T08:30'))
    assert.deepEqual([early.rule, early.code, early.setting], ['opening_hours', 'slot_closed', 'provider.weekly.fri'])
    const away = await refusal('plain', ben, at(`${awayDate}T09:00`))
    assert.deepEqual([away.setting, away.value], ['provider.overrides[0].hours', []])
    const between = await refusal('plain', ana, at('2026-11-20T09:10'))
    assert.deepEqual([between.rule, between.code], ['opening_hours', 'slot_closed'])
  })

  test('time off and calendar events are explained with their times', async () => {
    const [first, second] = await site.slots({ service: 'plain', provider: ana })
    assert.ok(first && second)
    for (const [source, slot, rule, code] of [
      ['time_off', first, 'time_off', 'slot_closed'],
      ['calendar', second, 'calendar', 'slot_calendar_busy'],
    ] as const) {
      await site.sql('insert into busy (id, provider_id, source, start_at, end_at, note) values (?, ?, ?, ?, ?, ?)', [
        `b_${source}`,
        ana,
        source,
        slot.start,
        slot.end,
        'dentist',
      ])
      const ruling = await refusal('plain', ana, slot.start)
      assert.deepEqual([ruling.rule, ruling.code], [rule, code])
      assert.deepEqual(ruling.value, { start: slot.start, end: slot.end })
    }
  })

  test('another booking and a full slot are explained', async () => {
    const on = site.nextDay()
    const slot = await site.slot({ service: 'plain', provider: ana, on })
    await site.book(slot)
    const full = await refusal('plain', ana, slot.start)
    assert.deepEqual([full.rule, full.code, full.value], ['capacity', 'slot_full', { taken: 1, capacity: 1 }])
    const busy = await refusal('long', ana, slot.start)
    assert.deepEqual([busy.rule, busy.code], ['occupancy', 'slot_provider_busy'])
    assert.deepEqual(busy.value, { start: slot.start, end: slot.end })
  })

  test('a reached limit is explained with the current count', async () => {
    for (const [service, limit] of [
      ['twoAProvider', 'perProviderDay'],
      ['hourAWeek', 'minutesPerProviderWeek'],
    ] as const) {
      const slots = await site.slots({ service, provider: ana })
      for (const slot of slots.slice(0, 2)) await site.book(slot)
      const ruling = await refusal(service, ana, present(slots[3]).start)
      assert.deepEqual([ruling.rule, ruling.code, ruling.setting], ['limits', 'slot_limit', `service.limits.${limit}`])
    }
  })

  test('every rule has a verdict, also after the first refusal', async () => {
    const { rules: verdicts } = await explain('inactive', dan, now - dayLong)
    assert.deepEqual(
      verdicts.map((verdict) => verdict.rule),
      rules,
    )
    const no = verdicts.filter((verdict) => !verdict.ok).map((verdict) => verdict.rule)
    assert.deepEqual(no.slice(0, 3), ['service_active', 'provider_eligible', 'lead_time'])
  })

  test('exactly the listed slots pass every rule', async () => {
    const on = site.nextDay()
    await site.book(await site.slot({ service: 'buffered', provider: ana, on, nth: 4 }))
    const listed = new Set((await site.slots({ service: 'plain', provider: ana, on })).map((slot) => slot.start))
    for (let start = at(`${on}T08:30`); start <= at(`${on}T17:00`); start += 1800)
      assert.equal((await explain('plain', ana, start)).bookable, listed.has(start))
  })

  test('missing and unknown parameters are reported', async () => {
    const params = ['serviceId', 'providerId', 'start']
    assertRestError(await site.get('/availability/explain/'), 400, 'rest_missing_callback_param', { params })
    const good = { serviceId: site.service('plain'), providerId: ana, start: now }
    for (const [change, name] of [
      [{ serviceId: 's_unknown' }, 'serviceId'],
      [{ providerId: 999 }, 'providerId'],
      [{ providerId: 'ana' }, 'providerId'],
      [{ start: 'soon' }, 'start'],
    ] as const) {
      const response = await site.get('/availability/explain/', { ...good, ...change })
      const named = Object(response.body.data.params)
      assert.deepEqual(Object.keys(named), [name])
      assertRestError(response, 400, 'rest_invalid_param', { params: named })
    }
  })
})
