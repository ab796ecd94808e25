import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import { assertAccessible, openPanel, startPanelService, waitForData } from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'

const program = chromiumProgram()

describe('short messages in the panel', {
  skip: program ? false : 'Chromium is not installed',
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  let gateway: Receiver
  before(async () => {
    const env = { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8' }
    ;({ service, browser } = await startPanelService({ site: standardSite, env }, 1))
    gateway = await startReceiver(() => ({ status: 201, body: '{}' }))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
    await gateway?.close()
  })

  const admin = { as: 'admin@clinic.example', alone: true } as const

  test('a gateway is set up from a preset and tried', async () => {
    const { page, context, errors } = await openPanel(browser, service, '/settings/notifications?view=sms', admin)
    await page.getByRole('combobox', { name: 'Begin with the settings of' }).click()
    await page.getByRole('option', { name: 'Twilio' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Replace the words in capitals').first().waitFor()
    await takeScreenshot(page, 'sms-faults')
    await assertAccessible(page, 'errors of the gateway')
    await page.getByLabel('Address').fill(gateway.url)
    await page.getByLabel('User name').fill('AC123')
    await page.getByRole('textbox', { name: 'Password' }).fill('secret')
    await page.getByLabel('Sender').fill('+4930901820')
    await page.getByLabel('Send short messages').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    await page.getByLabel('Mobile number').fill('+49 151 23456789')
    await page.getByRole('button', { name: 'Send test message' }).click()
    await page.getByText('The gateway accepted the message for +4915123456789').waitFor()
    assert.equal(new URLSearchParams(gateway.received[0]?.body).get('To'), '+4915123456789')
    await takeScreenshot(page, 'sms-1280')
    await assertAccessible(page, 'the gateway')
    await page.getByRole('tab', { name: 'Messages', exact: true }).click()
    await page.getByText('Test message · Short message').waitFor()
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('consent is recorded at the customer, and texts are edited, on a phone in the dark', async () => {
    const look = { ...admin, width: 360, colorScheme: 'dark' } as const
    const { page, context, errors } = await openPanel(browser, service, '/customers?search=Jo', look)
    await page.getByRole('button', { name: 'Jo', exact: true }).first().click()
    await page.getByRole('button', { name: 'Record consent' }).click()
    const dialog = page.getByRole('dialog', { name: 'Consent to short messages' })
    await dialog.getByLabel('Mobile number').fill('0151 1')
    await dialog.getByLabel('Mobile number').press('Enter')
    await dialog.getByText('Enter a number with its country code').waitFor()
    await takeScreenshot(page, 'sms-consent-360')
    await assertAccessible(page, 'recording consent')
    await dialog.getByLabel('Mobile number').fill('+49 151 23456789')
    await dialog.getByLabel('Mobile number').press('Enter')
    await page.getByText('Agreed for +4915123456789').waitFor()
    await page.getByRole('button', { name: 'Withdraw consent' }).click()
    await page.getByText('Not agreed.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Agreed for +4915123456789').waitFor()
    await takeScreenshot(page, 'sms-customer-360')
    await page.goto(`${service.url}/admin/settings/notifications?view=sms`)
    await page.getByLabel('Address').waitFor()
    await waitForData(page)
    await takeScreenshot(page, 'sms-360')
    await assertAccessible(page, 'the gateway on a phone')
    await page.goto(`${service.url}/admin/settings/notifications?view=templates&channel=sms&kind=reminder`)
    await page.getByText(/characters; providers charge/).waitFor()
    await waitForValue(() => page.getByLabel('Subject').count(), 0)
    await takeScreenshot(page, 'sms-template-360')
    await assertAccessible(page, 'the text of a short message')
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await text.fill('Hello ')
    await text.press('End')
    await text.pressSequentially('{{ start')
    const list = page.getByRole('listbox', { name: 'Insert placeholder' })
    await waitForValue(
      () => list.getByRole('option').locator('> :last-child').allInnerTexts(),
      ['start', 'start_date', 'start_time', 'previous_start'],
    )
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await waitForValue(() => list.locator('[aria-selected=true] > :last-child').innerText(), 'start_time')
    await takeScreenshot(page, 'completion-360')
    await assertAccessible(page, 'the list of placeholders')
    await page.keyboard.press('Enter')
    await waitForValue(() => text.inputValue(), 'Hello {{ start_time }}')
    await list.waitFor({ state: 'hidden' })
    await page.keyboard.type(', {{cust')
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    await page.keyboard.type('omer.n')
    await list.getByRole('option', { name: 'Customer’s name' }).click()
    await waitForValue(() => text.inputValue(), 'Hello {{ start_time }}, {{ customer.name }}')
    await page.keyboard.type('!')
    await page.getByText(/^Hello \d\d:\d\d, Alex Kim!$/).waitFor()
    assert.deepEqual(errors, [])
    await context.close()
  })
})
