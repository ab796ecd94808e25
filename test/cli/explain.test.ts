import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { now, standardSite } from '../support/clinic.ts'
import { eachDatabase, type ServiceProcess } from '../support/service.ts'

interface Explained {
  readonly start: number
  readonly end: number
  readonly rules: readonly { readonly rule: string; readonly ok: boolean; readonly setting: string }[]
}

eachDatabase((_kind, open) => {
  describe('explain', { timeout: 600_000 }, () => {
    let service: ServiceProcess
    before(async () => {
      service = await open({ now, site: standardSite })
    })

    const asked = (...more: readonly string[]) => service.daybook('explain', '--service', 'plain', ...more)

    test('reports a bookable slot with every rule', async () => {
      const { code, stdout } = await asked('--provider', 'cleo', '--start', '2026-10-06T09:00')
      assert.equal(code, 0)
      assert.match(stdout, /^plain with Cleo, 2026-10-06 09:00 to 09:30 \(America\/New_York\)\n/)
      assert.equal(stdout.match(/^yes /gm)?.length, 10)
      assert.match(stdout, /\nIt can be booked\.\n$/)
    })

    test('names the refusing rule, its deciding value and its setting', async () => {
      const { code, stdout } = await asked('--provider', '1', '--start', '2026-10-06 20:00')
      assert.equal(code, 0)
      assert.match(stdout, /^no {3}opening_hours .*\n +provider\.weekly\.tue: \[/m)
      assert.match(stdout, /\nIt cannot be booked\. The time is outside opening hours\./)
    })

    test("prints the API's response as JSON", async () => {
      const start = now + 86_400
      const services = await service.call('GET', '/services/get/')
      const serviceId = services.body.response.find(({ name }) => name === 'plain')?.id ?? ''
      const query = { serviceId, providerId: 1, start }
      const { body } = await service.call<{ response: Explained }>('GET', '/availability/explain/', { query })
      const { stdout } = await asked('--provider', '1', '--start', String(start), '--json')
      const printed: Explained = JSON.parse(stdout)
      assert.deepEqual(verdicts(printed), verdicts(body.response))
      assert.deepEqual([printed.start, printed.end], [start, body.response.end])
    })

    test('refuses an unknown name in one sentence', async () => {
      const { code, stderr } = await asked('--provider', 'Zoe', '--start', '2026-10-06T09:00')
      assert.deepEqual([code, stderr], [1, 'No provider, or more than one, is named "Zoe".\n'])
    })

    test('reports all missing options at once', async () => {
      const { code, stderr } = await service.daybook('explain', '--start', 'soon')
      assert.equal(code, 2)
      assert.match(stderr, /^--service is needed\.\n--provider is needed\.\n--start is needed: .*\n/)
    })
  })
})

/**
 * Returns the rule, result and setting of each verdict that `daybook explain` prints as JSON, without the values that
 * depend on the time of the request.
 */
function verdicts({ rules }: Explained): readonly (readonly [string, boolean, string])[] {
  return rules.map(({ rule, ok, setting }) => [rule, ok, setting])
}
