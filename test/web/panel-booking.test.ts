import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { hourOffset } from '../support/calendar-page.ts'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, now, standardSite } from '../support/clinic.ts'
import { assertAccessible, bookForJo, navigate, openPalette, openPanel, startPanelService } from '../support/panel.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
const site = {
  ...standardSite,
  services: [...standardSite.services, { key: 'far', name: 'far', durationMinutes: 30, leadTimeMinutes: 14 * 1_440 }],
  customers: [...standardSite.customers, { key: 'caller', name: 'Zoë Anruf', phone: '+494066969198' }],
}

describe('booking at the front desk', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site, now }, ana))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const)
    test(`a free time is found and booked for a new caller, ${width} pixels wide, ${colorScheme}`, async (t) => {
      const { page, context, errors } = await openPanel(browser, service, '/start', {
        as: 'manager@clinic.example',
        width,
        colorScheme,
      })
      t.after(() => context.close())
      await navigate(page, '/today')
      await page.keyboard.press('n')
      const dialog = page.getByRole('dialog', { name: 'New booking' })
      await dialog.getByRole('combobox', { name: 'Service' }).click()
      await page.getByRole('option', { name: 'own', exact: true }).click()
      // Ben does not give the service `own`, so the form does not offer him.
      await dialog.getByRole('combobox', { name: 'Provider' }).click()
      await page.getByRole('option', { name: 'Ana', exact: true }).waitFor()
      await waitForValue(() => page.getByRole('option', { name: 'Ben', exact: true }).count(), 0)
      await page.keyboard.press('Escape')
      const times = dialog.getByRole('group', { name: 'Available times' })
      await times.getByRole('radio').first().press('Space')
      await dialog.getByText(/^Available until/).waitFor()
      await assertAccessible(page, 'new booking')
      await dialog.getByRole('button', { name: 'Later' }).click()
      await dialog.getByRole('button', { name: 'Earlier' }).click()
      await dialog.getByRole('combobox', { name: 'Customer' }).fill(`040 123${width}`)
      await page.getByRole('option', { name: `New customer “040 123${width}”` }).click()
      await dialog.getByLabel('Name').fill('Caller')
      await waitForValue(() => dialog.getByLabel('Phone').inputValue(), `040 123${width}`)
      await dialog.getByRole('button', { name: 'Book', exact: true }).click()
      await page.getByText(/^Booked for/).waitFor()
      assert.deepEqual(errors, [])
    })

  async function clickQuarterPastEleven(page: Page): Promise<void> {
    const column = page.locator('[data-column="0"]')
    await column.waitFor()
    const box = await column.boundingBox()
    assert.ok(box)
    await page.mouse.click(box.x + box.width - 8, box.y + (await hourOffset(page, 11.25)) + 4)
  }

  test('a click on the calendar selects the nearest available start', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/calendar?date=2026-10-14', {
      as: 'manager@clinic.example',
    })
    t.after(() => context.close())
    // The click is at 11:15; appointments of the service `long` begin on the hour.
    await clickQuarterPastEleven(page)
    const dialog = page.getByRole('dialog', { name: 'New booking' })
    await waitForValue(() => dialog.getByRole('textbox', { name: /^Start \(/ }).inputValue(), '14/10/2026, 11:15')
    await dialog.getByRole('combobox', { name: 'Service' }).click()
    await page.getByRole('option', { name: 'long', exact: true }).click()
    await dialog.getByText(/^Available until 12:00/).waitFor()
    await waitForValue(() => dialog.getByRole('textbox', { name: /^Start \(/ }).inputValue(), '14/10/2026, 11:00')
    await dialog.getByText('11:15 is not available; the nearest available time is 11:00.').waitFor()
    await dialog.getByRole('radio', { name: '14:00' }).first().press(' ')
    await dialog.getByText(/nearest available time/).waitFor({ state: 'detached' })
    assert.deepEqual(errors, [])
  })

  test('the time that the form selected remains, and another one is named only once that is taken', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/calendar?book=1', {
      as: 'manager@clinic.example',
    })
    t.after(() => context.close())
    const dialog = page.getByRole('dialog', { name: 'New booking' })
    const start = dialog.getByRole('textbox', { name: /^Start \(/ })
    await dialog.getByRole('combobox', { name: 'Service' }).click()
    await page.getByRole('option', { name: 'own', exact: true }).click()
    await dialog.getByText(/^Available until/).waitFor()
    const timeOf = async (): Promise<string> => (await start.inputValue()).slice(-5)
    const first = await timeOf()
    const window = { min_timestamp: now, max_timestamp: now + 8 * 86_400 }
    const { id } = await bookForJo(service, window, 'own')
    await dialog.getByText(`${first} is not available; the nearest available time is`).waitFor()
    const second = await timeOf()
    await dialog.getByText(`is ${second}.`).waitFor()
    assert.notEqual(second, first)
    await service.call('POST', '/reservations/edit/', { body: { id, status: 'cancelled' } })
    await dialog.getByRole('radio', { name: first }).first().waitFor({ state: 'attached' })
    await dialog.getByRole('combobox', { name: 'Customer' }).fill('Mia')
    await page.getByRole('option', { name: /^Mia/ }).click()
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByText(/^Booked for/).waitFor()
    assert.match(await page.getByText(/^Booked for/).innerText(), new RegExp(` ${second}`))
    assert.deepEqual(errors, [])
  })

  test('a start that is typed before the service is chosen remains', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/calendar?date=2026-10-14', {
      as: 'manager@clinic.example',
    })
    t.after(() => context.close())
    await clickQuarterPastEleven(page)
    const dialog = page.getByRole('dialog', { name: 'New booking' })
    const start = dialog.getByRole('textbox', { name: /^Start \(/ })
    await waitForValue(() => start.inputValue(), '14/10/2026, 11:15')
    await start.fill('14/10/2026, 15:00')
    await start.press('Tab')
    await dialog.getByRole('combobox', { name: 'Service' }).click()
    await page.getByRole('option', { name: 'long', exact: true }).click()
    await dialog.getByRole('radio').first().waitFor({ state: 'attached' })
    await dialog.getByText(/^Available until 16:00/).waitFor()
    assert.equal(await start.inputValue(), '14/10/2026, 15:00')
    assert.deepEqual(errors, [])
  })

  test('a service without free times this week offers its next free day', async (t) => {
    const { page, context } = await openPanel(browser, service, '/calendar?book=1', { as: 'manager@clinic.example' })
    t.after(() => context.close())
    const dialog = page.getByRole('dialog', { name: 'New booking' })
    await dialog.getByRole('combobox', { name: 'Service' }).click()
    await page.getByRole('option', { name: 'far', exact: true }).click()
    await dialog.getByRole('button', { name: /^Next available: / }).click()
    await dialog.getByRole('radio').first().waitFor({ state: 'attached' })
  })

  test('the palette finds a caller by the end of the number, providers, and the action', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/start', { as: 'manager@clinic.example' })
    t.after(() => context.close())
    await page.getByRole('heading', { level: 1 }).waitFor()
    const search = await openPalette(page)
    await search.fill('66969 198')
    await page.getByRole('button', { name: /Zoë Anruf/ }).waitFor()
    await search.fill('cleo')
    await page.getByRole('button', { name: 'Cleo' }).waitFor()
    await search.fill('new booking')
    await page.getByRole('button', { name: /New booking/ }).waitFor()
    await search.fill('04066969198')
    await page.getByRole('button', { name: /Zoë Anruf/ }).click()
    await page.getByRole('dialog', { name: 'Zoë Anruf' }).getByRole('link', { name: 'New booking' }).click()
    const dialog = page.getByRole('dialog', { name: 'New booking' })
    const customer = dialog.getByRole('combobox', { name: 'Customer' })
    await waitForValue(() => customer.inputValue(), 'Zoë Anruf')
    assert.deepEqual(errors, [])
  })

  test('the palette offers no result of an earlier text while the service searches for the typed one', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/start', { as: 'manager@clinic.example' })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    t.after(async () => {
      release()
      await context.close()
    })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.route(/\/(?:customers|reservations)\/\?search=mia/, async (route) => {
      await released
      await route.continue()
    })
    const search = await openPalette(page)
    await search.fill('zoë')
    const earlier = page.getByRole('button', { name: /Zoë Anruf/ })
    await earlier.waitFor()
    await search.fill('mia')
    await earlier.waitFor({ state: 'detached' })
    await search.press('Enter')
    release()
    await page.getByRole('button', { name: /^Mia/ }).first().waitFor()
    assert.match(page.url(), /\/start$/)
    assert.deepEqual(errors, [])
  })
})
