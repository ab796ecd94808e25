import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import { assertAccessible, openPanel, startPanelService, waitForData } from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { waitForValue } from '../support/wait-for-value.ts'
import { type Receiver, type ReceiverResponse, startReceiver } from '../webhooks/receiver.ts'

const program = chromiumProgram()

describe('webhooks in the panel', { skip: program ? false : 'Chromium is not installed', timeout: 600_000 }, () => {
  let service: ServiceProcess
  let browser: Browser
  let receiver: Receiver
  let answer: ReceiverResponse = { status: 200, body: 'thanks' }
  before(async () => {
    const env = { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8' }
    ;({ service, browser } = await startPanelService({ site: standardSite, env }, 1))
    receiver = await startReceiver(() => answer)
  })
  after(async () => {
    await receiver?.close()
    await browser?.close()
    await service?.kill()
  })

  const admin = { as: 'admin@clinic.example', alone: true } as const

  test('a webhook is added, tested and looked up in the delivery log', async () => {
    const { page, context, errors } = await openPanel(browser, service, '/settings/webhooks', admin)
    await page.getByText('No webhooks yet.').waitFor()
    await waitForValue(async () => new URL(page.url()).pathname, '/admin/settings/api')
    await takeScreenshot(page, 'webhooks-empty')
    await page.getByRole('button', { name: 'Add a webhook' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('https://10.0.0.1/')
    await dialog.getByRole('button', { name: 'Add a webhook' }).click()
    await dialog.getByText('reachable from the internet').waitFor()
    await dialog.getByLabel('Address').fill(receiver.url)
    await dialog.getByLabel('Description').fill('Our shop')
    await dialog.getByLabel('Template of the body').fill('{"text": {{ type | json }}}')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    const preview = dialog.getByText('{"text": "reservation.created"}')
    const alert = dialog.getByRole('alert')
    await preview.or(alert).waitFor()
    assert.deepEqual(await alert.allInnerTexts(), [])
    await takeScreenshot(page, 'webhooks-add')
    await assertAccessible(page, 'adding a webhook')
    await dialog.getByLabel('Template of the body').fill('')
    await dialog.getByRole('button', { name: 'Add a webhook' }).click()
    await waitForValue(() => dialog.getByRole('textbox', { name: 'Secret' }).innerText(), /^whsec_/)
    await takeScreenshot(page, 'webhooks-secret')
    await assertAccessible(page, 'the secret of a webhook')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: `Send a test event: ${receiver.url}` }).press('Enter')
    await page.getByText('A test event is on its way').waitFor()
    await receiver.atLeast(1)
    await page.getByRole('tab', { name: 'Deliveries' }).click()
    await page.getByText('Delivered').first().waitFor()
    await waitForData(page)
    await takeScreenshot(page, 'deliveries-1280')
    await assertAccessible(page, 'deliveries')
    await page.getByRole('button', { name: 'webhook.test' }).click()
    await page.getByText('thanks').waitFor()
    await takeScreenshot(page, 'delivery')
    await assertAccessible(page, 'a delivery')
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page.getByText('1 delivery is sent again.').waitFor()
    await receiver.atLeast(2)
    assert.equal(receiver.received[0]?.headers['webhook-id'], receiver.received[1]?.headers['webhook-id'])
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('a failing webhook is shown, changed and removed, on a phone in the dark', async (t) => {
    answer = { status: 410 }
    const look = { ...admin, width: 360, colorScheme: 'dark' } as const
    const { page, context, errors } = await openPanel(browser, service, '/settings/api?view=webhooks', look)
    await page.getByRole('button', { name: `Send a test event: ${receiver.url}` }).click()
    await receiver.atLeast(3)
    // The list shows the state that it has loaded, and the service disables the webhook only after the response.
    const sql = openSql(service)
    t.after(() => sql.close())
    const reason = async () => (await sql('select disabled_because from webhook_endpoint'))[0]?.disabled_because
    await waitForValue(reason, 'gone')
    await page.reload()
    await page.getByText('Disabled', { exact: true }).waitFor()
    await waitForData(page)
    await takeScreenshot(page, 'webhooks-360')
    await assertAccessible(page, 'a disabled webhook')
    await page.getByRole('button', { name: 'Our shop' }).click()
    await page.getByText('the receiver answered 410').waitFor()
    // The pointer is moved away, because a time under the pointer shows a tooltip.
    await page.mouse.move(0, 0)
    await takeScreenshot(page, 'webhook-360')
    await assertAccessible(page, 'the settings of a webhook')
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    answer = { status: 200 }
    // The date begins in the site's zone, Europe/Berlin, and not in the zone of the browser, which is UTC.
    await page.getByRole('textbox', { name: 'Send again from' }).fill('2026-11-02')
    const replay = page.waitForRequest('**/webhooks/replay/')
    await page.getByRole('button', { name: 'Send again', exact: true }).click()
    assert.equal((await replay).postDataJSON().since, Date.parse('2026-11-01T23:00:00Z') / 1000)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Description').fill('The shop')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The webhook was saved.').waitFor()
    await page.getByRole('button', { name: 'Replace the secret' }).click()
    await page.getByRole('dialog', { name: 'Replace the secret?' }).getByRole('button', { name: 'Replace' }).click()
    await waitForValue(() => page.getByRole('textbox', { name: 'Secret' }).innerText(), /^whsec_/)
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog', { name: 'Remove this webhook?' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The webhook was removed.').waitFor()
    await page.getByText('No webhooks yet.').waitFor()
    assert.deepEqual(errors, [])
    await context.close()
  })
})
