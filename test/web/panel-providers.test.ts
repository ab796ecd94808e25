import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { ben, cleo, now } from '../support/clinic.ts'
import {
  assertAccessible,
  assertMenuReadable,
  idOf,
  navigate,
  openPanel,
  type PanelPage,
  startPanelService,
} from '../support/panel.ts'
import { hostile, hostileId, openProvider, siteWithHostileProvider, slotsOf } from '../support/provider-hours.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()

describe('providers in the panel', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: siteWithHostileProvider, now }, ben))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const enter = (email: string, look: Parameters<typeof openPanel>[3] = {}): Promise<PanelPage> =>
    openPanel(browser, service, '/start', { ...look, as: email })

  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const)
    test(`are accessible, ${width} pixels wide, ${colorScheme}`, async (t) => {
      const { page, context, errors } = await enter('manager@clinic.example', { width, colorScheme })
      t.after(() => context.close())
      await navigate(page, '/providers')
      await page.getByText(hostile).first().waitFor()
      await assertAccessible(page, 'providers')
      await assertMenuReadable(page, 'Actions for Ana')
      for (const part of ['week', 'dates', 'services', 'details']) {
        await openProvider(page, hostileId, part)
        if (part === 'dates') await page.getByRole('button', { name: '24 December 2026' }).waitFor()
        await assertAccessible(page, part)
      }
      assert.deepEqual(errors, [])
    })

  test('a provider gives some services only, with own settings for one', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await openProvider(page, hostileId, 'services')
    await page.getByRole('button', { name: 'Own settings for plain' }).click()
    await page.getByLabel('Duration').fill('60')
    await page.keyboard.press('Enter')
    await page.getByText('Duration 60 min').waitFor()
    assert.equal(await slotsOf(service, hostileId, '2026-10-20'), 8)
    await page.getByRole('switch', { name: 'Offers all services' }).uncheck()
    await page.getByText('No service is selected: this provider cannot be booked.').waitFor()
    await page.getByLabel('long', { exact: true }).check()
    // The test waits for the response and not for a notification, because the notification of the previous save may
    // still be on the page.
    const saved = page.waitForResponse((response) => response.url().endsWith('/providers/edit/'))
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await saved
    assert.equal(await slotsOf(service, hostileId, '2026-10-20'), 0)
    assert.deepEqual(errors, [])
  })

  test('a provider is added, set to take no bookings, and removed', async (t) => {
    const { page, context, errors } = await enter('admin@clinic.example')
    t.after(() => context.close())
    await navigate(page, '/providers')
    await page.getByRole('button', { name: 'Add provider' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Fay')
    await page.keyboard.press('Enter')
    await page.getByText('Fay was added and can be booked.').waitFor()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Friday, 1, to' }).waitFor()
    await page.keyboard.press('Escape')
    const menu = page.getByRole('button', { name: 'Actions for Fay' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Stop taking bookings' }).click()
    await page.getByRole('row', { name: /Fay/ }).getByText('No bookings').waitFor()
    // The menu is opened by keyboard, because the notification covers the lower right corner for a while.
    await menu.press('Enter')
    // An opened menu takes the focus in a timer, also from the item that has it already.
    await page.getByRole('menu').locator(':focus').waitFor({ state: 'attached' })
    await page.getByRole('menuitem', { name: 'Remove' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await page.getByText('Fay was removed.').waitFor()
    assert.deepEqual(errors, [])
  })

  test("a new provider has the site's default hours", async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example', { width: 360 })
    t.after(() => context.close())
    await navigate(page, '/settings/site')
    const hours = page.getByRole('region', { name: 'Opening hours of new providers' })
    await hours.getByRole('textbox', { name: 'Friday, 1, to' }).fill('noon')
    await page.keyboard.press('Enter')
    await hours.getByText('Enter a time, for example 09:00.').waitFor()
    await assertAccessible(page, 'hours of new providers')
    await hours.getByRole('textbox', { name: 'Friday, 1, to' }).fill('12')
    await page.keyboard.press('Enter')
    await page.getByText('Saved', { exact: false }).first().waitFor()
    await navigate(page, '/providers')
    await page.getByRole('button', { name: 'Add provider' }).click()
    const friday = page.getByRole('dialog').getByRole('textbox', { name: 'Friday, 1, to' })
    await friday.waitFor()
    await waitForValue(() => friday.inputValue(), '12:00')
    assert.deepEqual(errors, [])
  })

  test('the role provider has their own hours and time off, and no other provider', async (t) => {
    const { page, context, errors } = await enter('provider@clinic.example')
    t.after(() => context.close())
    await page.getByRole('link', { name: 'My hours' }).first().click()
    await page.getByRole('textbox', { name: 'Monday, 1, to' }).fill('12')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Weekly hours saved.').waitFor()
    assert.equal(await slotsOf(service, ben, '2026-10-12'), 6)
    await waitForValue(() => page.getByRole('tab').count(), 3)
    await page.getByRole('tab', { name: 'Date overrides and time off' }).click()
    await page.getByRole('button', { name: '26 November 2026, Closed' }).waitFor()
    await navigate(page, '/providers')
    await page.getByRole('heading', { name: 'No access' }).waitFor()
    // There is no page of the settings to choose.
    await navigate(page, '/settings/site')
    await page.getByRole('heading', { name: 'No access' }).waitFor()
    assert.equal(await page.locator('main nav').count(), 0)
    assert.deepEqual(errors, [])
  })

  test('a user is linked to a provider by name', async (t) => {
    const { page, context, errors } = await enter('admin@clinic.example')
    t.after(() => context.close())
    await navigate(page, '/settings/team')
    await page.getByRole('button', { name: 'Add team member' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Cleo herself')
    await dialog.getByLabel('E-mail').fill('cleo@clinic.example')
    await dialog.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: /^Provider/ }).click()
    await dialog.getByRole('combobox', { name: 'Provider' }).click()
    await page.getByRole('option', { name: 'Cleo' }).click()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Link' }).waitFor()
    const people = await page.evaluate("fetch('/admin/api/users/').then((answer) => answer.json())")
    const made = Object(people).response.find((one: { email: string }) => one.email === 'cleo@clinic.example')
    assert.equal(made.providerId, cleo)
    assert.deepEqual(errors, [])
  })

  test('a verdict links to its hours, and a service to its providers', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await navigate(
      page,
      `/why?serviceId=${await idOf(service, '/services/get/', 'plain')}&providerId=${ben}&date=2026-11-26`,
    )
    await page.getByRole('link', { name: 'Hours on this date' }).click()
    await page.getByRole('tab', { name: 'Date overrides and time off', selected: true }).waitFor()
    await page.getByRole('button', { name: '26 November 2026, Closed' }).waitFor()
    await navigate(page, `/services?open=${await idOf(service, '/services/get/', 'plain')}`)
    await page.getByRole('link', { name: 'Cleo' }).click()
    await page.getByRole('dialog', { name: 'Cleo' }).getByText('Times in America/New_York.').waitFor()
    assert.deepEqual(errors, [])
  })
})
