import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, standardSite } from '../support/clinic.ts'
import { assertAccessible, bookFirst, navigate, openPanel, startPanelService, waitForData } from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
const place = '/settings/notifications'
const looks = [
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const

describe('templates of messages in the panel', {
  skip: program ? false : 'Chromium is not installed',
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: standardSite }, ana))
    // The preview of a reservation's messages offers reservations.
    await bookFirst(service)
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const open = (look: object, path = `${place}?view=templates`, role = 'admin') =>
    openPanel(browser, service, path, { ...look, as: `${role}@clinic.example`, alone: true })
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

  test('a template is edited with placeholders and a preview, saved, restored and reset', async (t) => {
    const { page, context, errors } = await open({}, `${place}?view=templates&kind=reminder&locale=de`, 'manager')
    t.after(() => context.close())
    const subject = page.getByLabel('Subject')
    const frame = page.frameLocator('iframe')
    await frame.getByText('wir erinnern Sie an Ihren Termin').waitFor()
    await page.getByText('Default text').waitFor()
    await page.getByLabel('Text', { exact: true }).fill('Bis bald {{ nobody }}')
    await page.getByText(/The template is not valid: .*nobody/).waitFor()
    await page.getByText('the preview shows the last version').waitFor()
    await save(page).click()
    await page.getByText(/The template is not valid: .*nobody/).waitFor()
    await assertAccessible(page, 'a template with an error')
    await page.getByLabel('Text', { exact: true }).fill('Bis bald, !')
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('button', { name: 'Customer’s name' }).press('Enter')
    await waitForValue(() => page.getByLabel('Text', { exact: true }).inputValue(), 'Bis bald, {{ customer.name }}!')
    await page.locator('textarea:focus').waitFor()
    await subject.fill('Termin: ')
    await page.getByRole('button', { name: 'Date', exact: true }).click()
    await waitForValue(() => subject.inputValue(), 'Termin: {{ start_date }}')
    await page.getByText('The template is not valid').waitFor({ state: 'detached' })
    // A message that appears while a button is pressed must not move the button from under the pointer.
    const pressed = Promise.withResolvers<void>()
    await page.route('**/notifications/preview/', async (route) => {
      await pressed.promise
      await route.continue()
    })
    await subject.fill('Termin: {{ nobody }}')
    await page.getByRole('button', { name: 'Date', exact: true }).hover()
    await page.mouse.down()
    pressed.resolve()
    await page.getByText(/The template is not valid: .*nobody/).waitFor()
    await page.mouse.up()
    await waitForValue(() => subject.inputValue(), 'Termin: {{ nobody }}{{ start_date }}')
    // One button is in the tab order, and the arrow keys reach the others.
    await subject.fill('Termin: ')
    await subject.press('Shift+Tab')
    const focused = page.getByRole('toolbar', { name: 'Insert placeholder' }).locator(':focus')
    await waitForValue(() => focused.innerText(), 'Date')
    for (const key of ['ArrowLeft', 'ArrowRight', 'Enter']) await focused.press(key)
    await waitForValue(() => subject.inputValue(), 'Termin: {{ start_date }}')
    await page.getByRole('combobox', { name: 'Preview with' }).click()
    await page.getByRole('option', { name: /Jo · plain$/ }).click()
    await frame.getByText('Bis bald, Jo!').waitFor()
    await page.getByLabel('Dark').click({ force: true })
    await page.getByLabel('Phone width').click({ force: true })
    await frame.getByText('Bis bald, Jo!').waitFor()
    const background = "getComputedStyle(document.body).backgroundColor + ' ' + innerWidth"
    await waitForValue(async () => page.frames()[1]?.evaluate(background), 'rgb(26, 27, 30) 358')
    await page.getByText('Plain text').click()
    await page.locator('pre').getByText('Bis bald, Jo!').waitFor()
    await page.getByRole('link', { name: 'Jobs' }).click()
    await page.getByRole('dialog', { name: 'Discard unsaved changes?' }).getByRole('button', { name: 'Cancel' }).click()
    await save(page).click()
    await page.getByText('Your own text').waitFor()
    await page.getByRole('link', { name: 'Reminder · Deutsch · All services' }).waitFor()
    await takeScreenshot(page, 'mail-template-own')
    await page.getByRole('button', { name: 'Reset to default' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset to default' }).click()
    await page.getByText('Default text').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Use version 1' }).press('Enter')
    await waitForValue(() => subject.inputValue(), 'Termin: {{ start_date }}')
    await save(page).click()
    await page.getByText('Your own text').waitFor()
    await page.getByRole('combobox', { name: 'Service' }).click()
    await page.getByRole('option', { name: 'plain', exact: true }).click()
    await page.getByText('Uses the text for all services').waitFor()
    await page.getByRole('combobox', { name: 'Message' }).click()
    await page.getByRole('option', { name: 'Daily agenda' }).click()
    await frame.getByText('Alex Kim').first().waitFor()
    await page.getByRole('button', { name: 'Number of appointments' }).waitFor()
    await waitForValue(() => page.getByRole('combobox', { name: /Service|Preview with/ }).count(), 0)
    await takeScreenshot(page, 'mail-template-agenda')
    await assertAccessible(page, 'the template of the agenda')
    assert.deepEqual(errors, [])
  })

  test('logo and colour of the site are uploaded, checked, shown in the preview and removed', async (t) => {
    const { page, context, errors } = await open({ width: 360, colorScheme: 'dark' }, '/settings/site', 'manager')
    t.after(() => context.close())
    const logo = await page.locator('header').screenshot()
    const file = (buffer: Buffer) => ({ name: 'logo.png', mimeType: 'image/png', buffer })
    const field = page.locator('input[type=file]')
    await field.setInputFiles(file(Buffer.from('GIF89a')))
    await page.getByText('The file is not a PNG, JPEG or SVG image.').waitFor()
    await field.setInputFiles(file(logo))
    await page.getByRole('img', { name: 'Harbour Clinic' }).waitFor()
    await page.getByLabel('Colour', { exact: true }).fill('#ffee88')
    await page.getByRole('button', { name: 'Save colour' }).click()
    await page.getByText(/The colour is too light: its contrast with white is 1\.1/).waitFor()
    await page.getByLabel('Colour', { exact: true }).fill('#0b7285')
    await page.getByRole('button', { name: 'Save colour' }).click()
    await page.getByText(/The colour is too light/).waitFor({ state: 'detached' })
    await waitForData(page)
    await takeScreenshot(page, 'site-appearance')
    await assertAccessible(page, 'the appearance of the site')
    await page.goto(`${service.url}/admin${place}?view=templates`)
    const shown = page.frameLocator('iframe').getByRole('img', { name: 'Harbour Clinic' })
    await shown.waitFor()
    await waitForValue(async () => page.frames()[1]?.evaluate('document.images[0].naturalWidth > 0'), true)
    await takeScreenshot(page, 'mail-preview-brand')
    await navigate(page, '/settings/site')
    await page.getByRole('button', { name: 'Remove logo' }).click()
    await page.getByText('The logo was removed.').waitFor()
    assert.deepEqual(errors, [])
  })

  for (const look of looks)
    test(`are accessible, ${look.width} pixels wide, ${look.colorScheme}`, async (t) => {
      const { page, context, errors } = await open(look)
      t.after(() => context.close())
      await page.getByText('Earlier versions').first().waitFor()
      const greeting = page.frameLocator('iframe').getByText('Your appointment is confirmed')
      await page.locator('iframe').scrollIntoViewIfNeeded()
      await greeting.waitFor()
      await takeScreenshot(page, `mail-templates-${look.width}`)
      await assertAccessible(page, 'templates')
      assert.deepEqual(errors, [])
    })

  for (const locale of ['de-DE', 'es-ES', 'fr-FR'])
    test(`fit a phone in ${locale}`, async (t) => {
      const { page, context, errors } = await open({ width: 360, locale })
      t.after(() => context.close())
      await takeScreenshot(page, `mail-templates-${locale}`)
      await assertAccessible(page, `templates in ${locale}`)
      assert.deepEqual(errors, [])
    })
})
