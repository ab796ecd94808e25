import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decrypt } from '../../src/encryption.ts'
import { gatewayPlace } from '../../src/notifications/notifications.operations.ts'
import { processorPlace } from '../../src/payments/settings/payment-settings.operations.ts'
import { openPaymentTestSite, type PaymentTestSite } from '../support/payment-test-site.ts'
import { onEachDatabase } from '../support/test-site.ts'

const rounds = [0, 1, 2, 3, 4]

onEachDatabase((open) => {
  let paying: PaymentTestSite
  before(async () => {
    paying = await openPaymentTestSite(open)
  })
  after(() => paying.close())

  const edit = async (path: string, changes: readonly object[]) => {
    for (const { status, text } of await Promise.all(changes.map((change) => paying.admin.post(path, change))))
      assert.equal(status, 200, text)
  }
  const stored = async (column: string, table: string, place: string) => {
    const [row] = await paying.site.sql(`select ${column} as sealed from ${table}`)
    return JSON.parse(decrypt([Buffer.from('5e'.repeat(32), 'hex')], String(row?.sealed), place))
  }

  test('password and headers of the gateway that are changed at once are both stored', async () => {
    for (const round of rounds) {
      const headers = [{ name: 'X-Api-Key', value: `Zaunkoenig ${round}` }]
      await edit('/notifications/sms/edit/', [{ password: `Rotkehlchen ${round}` }, { headers }])
      const secrets = await stored('gateway_secret', 'notification_settings', gatewayPlace)
      assert.deepEqual(secrets, {
        password: `Rotkehlchen ${round}`,
        headers: { 'x-api-key': `Zaunkoenig ${round}` },
      })
    }
  })

  test('keys of the payment processor that are changed at once are both stored', async () => {
    await paying.connect()
    for (const round of rounds) {
      const [secretKey, webhookSecret] = [`sk_test_other${round}0123456789`, `whsec_other${round}0123456789`]
      await edit('/payments/connect/', [{ secretKey }, { webhookSecret }])
      const keys = await stored('sealed', 'payment_settings', processorPlace)
      assert.deepEqual([keys.secretKey, keys.webhookSecrets[0]], [secretKey, webhookSecret])
    }
  })
})
