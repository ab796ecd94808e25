import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { setUpSecret } from '../support/browser-client.ts'
import { chromiumProgram, startChromium } from '../support/chromium.ts'
import { now } from '../support/clinic.ts'
import { assertAccessible, navigate, openPanel, type PanelPage, password, waitForData } from '../support/panel.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()

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
    await page.getByText('A first booking (To do)').waitFor()
    // Two of the four steps are done: the site has a name, and a service exists.
    await page.getByText('2 of 4 done').waitFor()
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

  test('end with a booking, beside a link to the booking page', async () => {
    await page.getByLabel('Name').fill('Ben')
    await page.getByRole('button', { name: 'Copy Monday to…' }).click()
    await page.getByRole('menuitem', { name: 'Every day' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Ben was added and can be booked.').waitFor()
    await page.getByRole('heading', { level: 2, name: 'First booking' }).waitFor()
    await assertAccessible(page, 'the step of the booking')
    const href = await page.getByRole('link', { name: 'Open the booking page' }).getAttribute('href')
    const bookingPage = await (await fetch(new URL(href ?? '', service.url))).text()
    assert.match(bookingPage, /Check-up/)
    await page.getByRole('link', { name: 'New booking' }).click()
    const dialog = page.getByRole('dialog', { name: 'New booking' })
    await dialog.getByRole('combobox', { name: 'Service' }).click()
    await page.getByRole('option', { name: 'Check-up', exact: true }).click()
    await dialog.getByRole('combobox', { name: 'Customer' }).fill('Jo')
    await page.getByRole('option', { name: 'New customer “Jo”' }).click()
    await dialog.getByLabel('E-mail').fill('jo@example.com')
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByText(/^Booked for/).waitFor()
    await navigate(page, '/start')
    await page.getByText('Who offers it (Done)').waitFor()
    await page.getByText('A first booking (Done)').waitFor()
    await waitForValue(() => page.getByText('Continue the quick set-up').count(), 0)
    await navigate(page, '/settings/booking-page')
    await page.getByRole('switch', { name: 'The page is open' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    await navigate(page, '/first-run?step=booking')
    const closed = page.getByRole('link', { name: 'The booking page is closed: open it in its settings' })
    assert.equal(await closed.getAttribute('href'), '/admin/settings/booking-page')
    await page.getByRole('link', { name: 'Finish', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    assert.deepEqual(errors, [])
  })

  test('are one column on a phone, in the dark scheme', async (t) => {
    const cookies = await context.cookies()
    const phone = await openPanel(browser, service, '/', { width: 360, colorScheme: 'dark' })
    t.after(() => phone.context.close())
    await phone.context.addCookies(cookies)
    for (const step of ['site', 'service', 'provider', 'booking']) {
      await phone.page.goto(`${service.url}/admin/first-run?step=${step}`)
      await phone.page.getByRole('heading', { level: 2 }).waitFor()
      await waitForData(phone.page)
      await assertAccessible(phone.page, step)
    }
    assert.deepEqual(phone.errors, [])
  })
})
