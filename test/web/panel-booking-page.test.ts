import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { fillBookingForm } from '../support/booking-form.ts'
import { chromiumProgram } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import {
  assertAccessible,
  navigate,
  openPanel,
  startPanelService,
  waitForAnimations,
  waitForData,
} from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()

describe('the booking page in the panel', {
  skip: program ? false : 'Chromium is not installed',
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: standardSite }, 1))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  for (const look of [{ width: 1280 }, { width: 360, colorScheme: 'dark' }] as const)
    test(`is set up at ${look.width} pixels`, async (t) => {
      const { page, context, errors } = await openPanel(browser, service, '/settings/booking-page', {
        ...look,
        as: 'admin@clinic.example',
        alone: true,
      })
      t.after(() => context.close())
      await page.getByRole('img', { name: 'QR code of the booking page' }).waitFor()
      await waitForData(page)
      await waitForAnimations(page)
      await takeScreenshot(page, `panel-booking-page-${look.width}`)
      await assertAccessible(page, `booking page at ${look.width}`)
      const preview = page.frameLocator('iframe[title=Preview]')
      await page.getByLabel('Book an appointment', { exact: true }).fill('Come in')
      await preview.getByRole('heading', { name: 'Come in' }).waitFor()
      await page.getByLabel('Book an appointment', { exact: true }).fill('')
      await preview.getByRole('heading', { name: 'Book an appointment' }).waitFor()
      await takeScreenshot(page, `panel-booking-preview-${look.width}`)
      await page.getByRole('button', { name: 'Private links: plain' }).click()
      const links = page.getByRole('dialog', { name: 'Private links: plain' })
      await links.getByRole('button', { name: 'Create a link' }).click()
      await links.getByText(/\/book\/link\/[\w-]{43}\/$/).waitFor()
      await links
        .getByRole('button', { name: /^Revoke the link created/ })
        .first()
        .waitFor()
      await waitForAnimations(page)
      await takeScreenshot(page, `panel-booking-links-${look.width}`)
      await assertAccessible(page, `private links at ${look.width}`)
      await links
        .getByRole('button', { name: /^Revoke the link created/ })
        .first()
        .click()
      await links.getByText('Revoked').first().waitFor()
      await links.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Edit: plain' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Last part of the address').fill(`plain-${look.width}`)
      await dialog.getByLabel('Address of a picture').fill('ftp://wrong')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('Enter an address that begins with https://.').waitFor()
      await dialog.getByLabel('Address of a picture').fill('')
      await waitForAnimations(page)
      await takeScreenshot(page, `panel-booking-service-${look.width}`)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('link', { name: new RegExp(`/book/plain-${look.width}/$`) }).waitFor()
      await page.getByLabel('Text above the services, English').fill('Welcome to the clinic.')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      // The message of the service's settings, saved before, may still be shown.
      const shown = async () => (await fetch(`${service.url}/book/`)).text()
      await waitForValue(shown, /Welcome to the clinic\./)
      assert.deepEqual(errors, [])
    })

  test('the sections below the preview do not move when it appears', async (t) => {
    const { page, context } = await openPanel(browser, service, '/today', { as: 'admin@clinic.example', alone: true })
    t.after(() => context.close())
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/booking-page/preview/', async (route) => {
      await released
      await route.continue()
    })
    await navigate(page, '/settings/booking-page')
    const section = page.getByRole('heading', { name: 'Users of your site' })
    await section.waitFor()
    await waitForData(page)
    const distance = async () =>
      ((await section.boundingBox())?.y ?? 0) - ((await page.getByRole('heading', { level: 1 }).boundingBox())?.y ?? 0)
    const before = await distance()
    release()
    await page.locator('iframe[title=Preview]').waitFor()
    assert.equal(await distance(), before)
  })

  test('a browser proves work while its visitor books', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/settings/booking-page', {
      width: 1280,
      as: 'admin@clinic.example',
      alone: true,
    })
    t.after(() => context.close())
    await page.getByRole('switch', { name: 'Browsers prove work' }).press('Space')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.', { exact: true }).first().waitFor()
    await fillBookingForm(page, { origin: service.url, service: 'long', name: 'Ada', email: 'ada@example.org' })
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You are booked' }).waitFor()
    assert.deepEqual(errors, [])
  })
})
