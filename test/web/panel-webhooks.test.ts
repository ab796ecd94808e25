import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { chromiumProgram } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import { allRead, assertFit, openOffice, openPanel } from '../support/panel.ts'
import { takePicture } from '../support/picture.ts'
import type { Service } from '../support/service.ts'
import { type Receiver, type ReceiverResponse, startReceiver } from '../webhooks/receiver.ts'

const program = chromiumProgram()

describe('webhooks in the panel', { skip: program ? false : 'Chromium is not installed', timeout: 600_000 }, () => {
  let service: Service
  let browser: Browser
  let receiver: Receiver
  let answer: ReceiverResponse = { status: 200, body: 'thanks' }
  before(async () => {
    const env = { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8' }
    ;({ service, browser } = await openOffice({ site: standardSite, env }, 1))
    receiver = await startReceiver(() => answer)
  })
  after(async () => {
    await receiver?.close()
    await browser?.close()
    await service?.kill()
  })

  const admin = { as: 'admin@clinic.example', alone: true } as const

  test('a webhook is added, tested and looked up in the delivery log', async () => {
    const { page, context, wrong } = await openPanel(browser, service, '/settings/webhooks', admin)
    await page.getByText('No webhooks yet.').waitFor()
    await becomes(async () => new URL(page.url()).pathname, '/admin/settings/api')
    await takePicture(page, 'webhooks-empty')
    await page.getByRole('button', { name: 'Add a webhook' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('https://10.0.0.1/')
    await dialog.getByRole('button', { name: 'Add a webhook' }).click()
    await dialog.getByText('reachable from the internet').waitFor()
    await dialog.getByLabel('Address').fill(receiver.url)
    await dialog.getByLabel('Description').fill('Our shop')
    await dialog.getByLabel('Template of the body').fill('{"text": {{ type | json }}}')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('{"text": "reservation.created"}').waitFor()
    await takePicture(page, 'webhooks-add')
    await assertFit(page, 'adding a webhook')
    await dialog.getByLabel('Template of the body').fill('')
    await dialog.getByRole('button', { name: 'Add a webhook' }).click()
    await becomes(() => dialog.getByRole('textbox', { name: 'Secret' }).innerText(), /^whsec_/)
    await takePicture(page, 'webhooks-secret')
    await assertFit(page, 'the secret of a webhook')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: `Send a test event: ${receiver.url}` }).press('Enter')
    await page.getByText('A test event is on its way').waitFor()
    await receiver.atLeast(1)
    await page.getByRole('tab', { name: 'Deliveries' }).click()
    await page.getByText('Delivered').first().waitFor()
    await allRead(page)
    await takePicture(page, 'deliveries-1280')
    await assertFit(page, 'deliveries')
    await page.getByRole('button', { name: 'webhook.test' }).click()
    await page.getByText('thanks').waitFor()
    await takePicture(page, 'delivery')
    await assertFit(page, 'a delivery')
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page.getByText('1 delivery is sent again.').waitFor()
    await receiver.atLeast(2)
    assert.equal(receiver.received[0]?.headers['webhook-id'], receiver.received[1]?.headers['webhook-id'])
    assert.deepEqual(wrong, [])
    await context.close()
  })

  test('a failing webhook is shown, changed and removed, on a phone in the dark', async () => {
    answer = { status: 410 }
    const look = { ...admin, width: 360, colorScheme: 'dark' } as const
    const { page, context, wrong } = await openPanel(browser, service, '/settings/api?view=webhooks', look)
    await page.getByRole('button', { name: `Send a test event: ${receiver.url}` }).click()
    await receiver.atLeast(3)
    while (!(await page.getByText('Disabled', { exact: true }).isVisible())) await page.reload()
    await allRead(page)
    await takePicture(page, 'webhooks-360')
    await assertFit(page, 'a disabled webhook')
    await page.getByRole('button', { name: 'Our shop' }).click()
    await page.getByText('the receiver answered 410').waitFor()
    // A time under the pointer would show its exact form.
    await page.mouse.move(0, 0)
    await takePicture(page, 'webhook-360')
    await assertFit(page, 'the settings of a webhook')
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Description').fill('The shop')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The webhook was saved.').waitFor()
    await page.getByRole('button', { name: 'Replace the secret' }).click()
    await page.getByRole('dialog', { name: 'Replace the secret?' }).getByRole('button', { name: 'Replace' }).click()
    await becomes(() => page.getByRole('textbox', { name: 'Secret' }).innerText(), /^whsec_/)
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog', { name: 'Remove this webhook?' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The webhook was removed.').waitFor()
    await page.getByText('No webhooks yet.').waitFor()
    assert.deepEqual(wrong, [])
    await context.close()
  })
})
