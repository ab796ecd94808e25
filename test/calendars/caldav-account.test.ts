import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { databasesHere } from '../support/databases.ts'
import { hasRadicale, Radicale } from '../support/radicale.ts'
import { CalendarTestSite } from './calendar-test-site.ts'

const missing = hasRadicale() ? false : 'Radicale is not installed'

for (const { kind, skip } of await databasesHere()) {
  describe(`a CalDAV account on ${kind}`, { skip: skip || missing, timeout: 600_000 }, () => {
    let site: CalendarTestSite
    let server: Radicale
    before(async () => {
      site = await CalendarTestSite.open(kind)
      server = await Radicale.start()
    })
    after(async () => {
      await site?.close()
      await server?.close()
    })

    test('an account in use is not moved to another server, whose password the first one would receive', async () => {
      const id = await site.connectAccount(server.url)
      const refs = (await site.account(id)).found.map(({ ref }) => ref)
      await site.perform('calendars.accounts.choose', { id, refs })
      await site.runDueJobs()
      const moved = { id, login: 'ana', ...site.sealedAccount(id, 'https://other.example/', { password: 'other' }) }
      const move = () => site.attempt('calendars.accounts.edit', moved)
      const requests = server.requests.length
      const assertRefused = async () => {
        const outcome = await move()
        assert.ok('refused' in outcome, JSON.stringify(outcome))
        assert.deepEqual(Object.keys(outcome.refused.details ?? {}), ['url'])
      }
      await assertRefused()
      const { providerId } = await site.account(id)
      await site.perform('calendars.accounts.choose', { id, refs: [] })
      await site.perform('calendars.destinations.set', { id, calendar: refs[0] ?? '', policy: 'restore', names: false })
      await assertRefused()
      await site.perform('calendars.destinations.set', { id, calendar: null, policy: 'restore', names: false })
      await site.perform('calendars.accounts.edit', moved)
      await site.runDueJobs()
      const account = await site.account(id)
      assert.deepEqual([account.providerId, account.host, account.found], [providerId, 'other.example', []])
      assert.deepEqual(server.requests.slice(requests), [])
    })
  })
}
