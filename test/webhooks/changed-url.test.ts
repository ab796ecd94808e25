import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { databasesHere } from '../support/databases.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { WebhookTestSite } from './webhook-test-site.ts'

const day = 24 * 3_600

for (const { kind, skip } of await databasesHere()) {
  describe(`a webhook whose URL changes during an attempt on ${kind}`, { skip, timeout: 600_000 }, () => {
    let site: WebhookTestSite
    let receiver: Receiver
    // Called when an attempt arrives, before the receiver answers it.
    let arrived: () => Promise<unknown>
    let status: number
    beforeEach(async () => {
      site = await WebhookTestSite.open(kind, 1_800_000_000)
      arrived = async () => {}
      receiver = await startReceiver(async () => {
        await arrived()
        return { status }
      })
    })
    afterEach(async () => {
      await receiver.close()
      await site.close()
    })

    const attempt = async () => {
      await site.customer()
      await site.runDueJobs()
    }
    const stateOf = async (id: string) => {
      const { enabled, failingSince, lastSuccessAt } = await site.endpointNamed(id)
      return { enabled, failingSince, lastSuccessAt }
    }
    const changeUrl = (id: string) => site.perform('webhooks.edit', { id, url: `${receiver.url}/new` })

    test('stays enabled when the previous URL answers 410', async () => {
      const { id } = await site.endpoint(receiver.url)
      status = 410
      arrived = () => changeUrl(id)
      await attempt()
      assert.deepEqual(await stateOf(id), { enabled: true, failingSince: null, lastSuccessAt: null })
      assert.equal((await site.delivery()).state, 'failed')
      arrived = async () => {}
      await attempt()
      assert.equal((await stateOf(id)).enabled, false)
    })

    test('has five days when the previous URL fails again, and is not reported', async () => {
      const { id } = await site.endpoint(receiver.url)
      status = 500
      await attempt()
      site.now += 5 * day
      arrived = () => changeUrl(id)
      await site.runDueJobs()
      assert.equal(receiver.received.length, 2)
      assert.deepEqual(await stateOf(id), { enabled: true, failingSince: null, lastSuccessAt: null })
    })

    test('has no success of the previous URL', async () => {
      const { id } = await site.endpoint(receiver.url)
      status = 204
      arrived = () => changeUrl(id)
      await attempt()
      assert.deepEqual(await stateOf(id), { enabled: true, failingSince: null, lastSuccessAt: null })
      assert.equal((await site.delivery()).state, 'delivered')
    })
  })
}
