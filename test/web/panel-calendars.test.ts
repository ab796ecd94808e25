import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { wallTime } from '../../src/scheduling/time/zone.ts'
import { type CalendarServer, calendarFile, startCalendarServer } from '../calendars/calendar-test-site.ts'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, ben, standardSite } from '../support/clinic.ts'
import { assertAccessible, openPanel, startPanelService } from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'

const program = chromiumProgram()
// The service of this test uses the machine's clock.
const tomorrow = wallTime('Europe/Berlin', Date.now() / 1000 + 86_400)
  .slice(0, 10)
  .replaceAll('-', '')

describe('connected calendars in the panel', {
  skip: program ? false : 'Chromium is not installed',
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  let server: CalendarServer
  before(async () => {
    const env = { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8' }
    ;({ service, browser } = await startPanelService({ site: standardSite, env }, ben))
    server = await startCalendarServer(calendarFile(['1', `${tomorrow}T100000`, `${tomorrow}T113000`]))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
    await server?.close()
  })

  test('a calendar is connected once it can be read, read again, changed and disconnected', async () => {
    const look = { as: 'admin@clinic.example', alone: true } as const
    const { page, context, errors } = await openPanel(browser, service, `/providers?open=${ana}&part=calendars`, look)
    await page.getByText('No calendar is connected.').waitFor()
    await page.getByRole('button', { name: 'Connect calendar' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect a calendar' })
    await dialog.getByRole('button', { name: 'Connect calendar' }).click()
    await dialog.getByText('Enter the address of the calendar.').waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Private')
    const address = dialog.getByRole('textbox', { name: 'Address' })
    await address.fill('ftp://example.com/calendar.ics')
    await address.press('Enter')
    await dialog.getByText('Enter the address of a calendar, which begins with').waitFor()
    const working = server.answer
    server.answer = (response) => response.end('<!doctype html>')
    await address.fill(server.url)
    await address.press('Enter')
    await dialog.getByText('The address leads to something other than a calendar').waitFor()
    await takeScreenshot(page, 'calendars-connect')
    await assertAccessible(page, 'connecting a calendar')
    server.answer = working
    await address.press('Enter')
    await page.getByText('Private is connected and blocks 1 time.').waitFor()
    await page.getByText('1 busy time until').waitFor()
    await takeScreenshot(page, 'calendars-connected')
    await assertAccessible(page, 'connected calendars')
    server.answer = (response) => response.writeHead(401).end()
    await page.getByRole('button', { name: 'Actions for Private' }).click()
    await page.getByRole('menuitem', { name: 'Read now' }).click()
    await page.getByText('The server refuses access.').waitFor()
    await page.getByRole('button', { name: 'Actions for Private' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Tentative').uncheck()
    await page.getByRole('textbox', { name: 'Name' }).fill('Home')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    server.answer = ['Open [price=60]', 'Open [prise=1]'].reduce(
      (file, title) => file.replace('SUMMARY:A secret title', `SUMMARY:${title}`),
      calendarFile(
        ['1', `${tomorrow}T190000`, `${tomorrow}T200000`],
        ['2', `${tomorrow}T210000`, `${tomorrow}T220000`],
      ),
    )
    await page.getByRole('button', { name: 'Actions for Home' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('combobox', { name: 'Events that open bookable time' }).click()
    await page.getByRole('option', { name: 'Events with a certain title' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter the title or category.').waitFor()
    await page.getByRole('textbox', { name: 'Title' }).fill('open')
    await takeScreenshot(page, 'calendars-openings')
    await assertAccessible(page, 'events that open time')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 event “open” opens time').waitFor()
    await page.getByText('[prise=1] is not known.').waitFor()
    await takeScreenshot(page, 'calendars-opened')
    await assertAccessible(page, 'a calendar that opens time')
    await page.getByRole('button', { name: 'Actions for Home' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No calendar is connected.').waitFor()
    server.answer = working
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('a provider connects their own on a phone in the dark, in German', async () => {
    const look = { as: 'provider@clinic.example', alone: true, width: 360, colorScheme: 'dark', locale: 'de' } as const
    const { page, context, errors } = await openPanel(browser, service, '/hours?part=calendars', look)
    await page.getByRole('button', { name: 'Kalender verbinden' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Privat')
    await page.getByRole('textbox', { name: 'Adresse' }).fill(server.url)
    await page.getByRole('textbox', { name: 'Adresse' }).press('Enter')
    await page.getByText('1 belegte Zeit bis').waitFor()
    await page.getByRole('button', { name: 'Adresse erstellen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Eine Kalenderadresse erstellen' })
    await dialog.getByLabel('Kunden nennen').check()
    await dialog.getByRole('button', { name: 'Adresse erstellen' }).click()
    const made = await dialog.getByRole('textbox', { name: 'Adresse' }).textContent()
    assert.equal((await fetch(made?.trim() ?? '')).status, 200)
    await assertAccessible(page, 'a new calendar address')
    await dialog.getByRole('button', { name: 'Schließen' }).last().click()
    await page.getByText('mit Namen').waitFor()
    await takeScreenshot(page, 'calendars-360')
    await assertAccessible(page, 'connected calendars on a phone')
    assert.deepEqual(errors, [])
    await context.close()
  })
})
