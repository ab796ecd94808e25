import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { setUpSecret } from '../support/browser-client.ts'
import { chromiumProgram, startChromium } from '../support/chromium.ts'
import { now } from '../support/clinic.ts'
import { assertAccessible, navigate, openPanel, type PanelPage, password, waitForData } from '../support/panel.ts'
import type { AnyBody } from '../support/service.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
const run = promisify(execFile)

describe('the first steps', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  let context: PanelPage['context']
  let page: Page
  let errors: string[]
  before(async () => {
    service = await startService({ now })
    browser = await startChromium(program ?? '')
    ;({ page, context, errors } = await openPanel(browser, service, `/set-up#${setUpSecret(service)}`))
  })
  after(async () => {
    await context?.close()
    await browser?.close()
    await service?.kill()
  })

  test('begin after the set-up link, and by keyboard alone name the site and add a service', async () => {
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('Ann')
    for (const text of ['ann@clinic.example', password, password]) {
      await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Quick set-up' }).waitFor()
    await page.getByLabel('Name').waitFor()
    await assertAccessible(page, 'the first step')
    await page.locator('input:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('input[aria-invalid="true"]').waitFor()
    await page.keyboard.type('Harbour Clinic')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Services' }).waitFor()
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('Check-up')
    await page.keyboard.press('Tab')
    await page.keyboard.type('30')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Providers' }).waitFor()
    assert.deepEqual(
      (await service.call('GET', '/services/get/')).body.response.map(({ name }) => name),
      ['Check-up'],
    )
    await assertAccessible(page, 'the step of providers')
  })

  test('can be left, are offered on the start page, and resume where they were', async () => {
    await page.getByRole('link', { name: 'Finish later' }).click()
    await page.getByRole('heading', { level: 1, name: 'Getting started' }).waitFor()
    await page.getByText('A service to book (Done)').waitFor()
    await page.getByText('Who offers it (To do)').waitFor()
    // Three of the four steps are done: the site has a name, a service exists, and an API token exists, because the
    // test service was started with API tokens.
    await page.getByText('3 of 4 done').waitFor()
    await assertAccessible(page, 'start')
    await page.reload()
    await page.getByRole('link', { name: 'Continue the quick set-up' }).click()
    await page.getByRole('heading', { level: 2, name: 'Providers' }).waitFor()
    await page
      .getByRole('button', { name: /Services/ })
      .last()
      .click()
    await page.getByText('Already added: Check-up').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
  })

  test('end with a request that lists slots, one of which is booked', async () => {
    await page.getByLabel('Name').fill('Ben')
    await page.getByRole('button', { name: 'Copy Monday to…' }).click()
    await page.getByRole('menuitem', { name: 'Every day' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Ben was added and can be booked.').waitFor()
    await page.getByRole('button', { name: 'Create token' }).click()
    const secret = await page.getByRole('textbox', { name: 'Secret' }).innerText()
    const line = await page.getByRole('textbox', { name: 'Your first request' }).innerText()
    await assertAccessible(page, 'the secret')
    const { stdout } = await run('sh', ['-c', line])
    const listed: AnyBody = JSON.parse(stdout)
    assert.ok(listed.response.length > 100, `${listed.response.length} slots`)
    const call = (path: string, body: object) => service.call('POST', path, { body, token: secret })
    const customer = await call('/customers/add/', { name: 'Jo', email: 'jo@example.com' })
    const { availabilityId, serviceId, providerId, start, end } = Object(listed.response[0])
    const booking = { availabilityId, serviceId, providerId, start, end, customerId: customer.body.id }
    const { status, text } = await call('/reservations/add/', booking)
    assert.equal(status, 200, text)
    await page.getByRole('link', { name: 'Finish' }).click()
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await navigate(page, '/start')
    await page.getByText('Who offers it (Done)').waitFor()
    await waitForValue(() => page.getByText('Continue the quick set-up').count(), 0)
    assert.deepEqual(errors, [])
  })

  test('are one column on a phone, in the dark scheme', async (t) => {
    const cookies = await context.cookies()
    const phone = await openPanel(browser, service, '/', { width: 360, colorScheme: 'dark' })
    t.after(() => phone.context.close())
    await phone.context.addCookies(cookies)
    for (const step of ['site', 'service', 'provider', 'token']) {
      await phone.page.goto(`${service.url}/admin/first-run?step=${step}`)
      await phone.page.getByRole('heading', { level: 2 }).waitFor()
      await waitForData(phone.page)
      await assertAccessible(phone.page, step)
    }
    assert.deepEqual(phone.errors, [])
  })
})
