import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { wallTime } from '../../src/scheduling/time/zone.ts'
import { calendarFile } from '../calendars/calendar-test-site.ts'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, ben, standardSite } from '../support/clinic.ts'
import { assertAccessible, navigate, openPanel, startPanelService } from '../support/panel.ts'
import { hasRadicale, password, Radicale, user } from '../support/radicale.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const missing = chromiumProgram() ? hasRadicale() || 'Radicale is not installed' : 'Chromium is not installed'
// The service of this test uses the machine's clock.
const today = Date.now() / 1000
const tomorrow = wallTime('Europe/Berlin', today + 86_400)
  .slice(0, 10)
  .replaceAll('-', '')

describe('calendar accounts in the panel', {
  skip: missing === true ? false : missing,
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  let server: Radicale
  before(async () => {
    const env = { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8' }
    ;({ service, browser } = await startPanelService({ site: standardSite, env }, ben))
    server = await Radicale.start()
    await server.put('work', '1.ics', calendarFile(['1', `${tomorrow}T100000`, `${tomorrow}T113000`]))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
    await server?.close()
  })

  test('an account is connected once it can be reached, and its calendars are chosen', async () => {
    const look = { as: 'admin@clinic.example', alone: true } as const
    const { page, context, errors } = await openPanel(browser, service, `/providers?open=${ana}&part=calendars`, look)
    await page.getByText('No account is connected.').waitFor()
    await page.getByRole('button', { name: 'Connect account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect a calendar account' })
    await dialog.getByRole('button', { name: 'Connect account' }).click()
    await dialog.getByText('Enter the user name.').waitFor()
    await dialog.getByRole('textbox', { name: 'Server' }).fill(server.url)
    await dialog.getByRole('textbox', { name: 'User name' }).fill(user)
    const secret = dialog.getByLabel('Password', { exact: true })
    await secret.fill('wrong')
    await secret.press('Enter')
    await dialog.getByText('The server refuses access').waitFor()
    await takeScreenshot(page, 'accounts-connect')
    await assertAccessible(page, 'connecting an account')
    await secret.fill(password)
    await secret.press('Enter')
    await page.getByText('The account is connected and has 2 calendars.').waitFor()
    await page.getByRole('checkbox', { name: 'Work' }).check()
    await page.getByText('1 busy time until').waitFor()
    await page.getByRole('combobox', { name: 'Write reservations to' }).click()
    await page.getByRole('option', { name: /^Private/ }).click()
    await page.getByRole('combobox', { name: 'When an event is moved there' }).click()
    await page.getByRole('option', { name: /^Reschedule the reservation/ }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Reservations are written to Private.').waitFor()
    await page.getByText(/Compared: .*(?:ago|now)/).waitFor()
    await takeScreenshot(page, 'accounts-connected')
    await assertAccessible(page, 'a connected account')
    await page.getByRole('button', { name: 'Actions for Work' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const editing = page.getByRole('dialog', { name: 'Change Work' })
    await editing.getByRole('textbox', { name: 'Name' }).waitFor()
    await waitForValue(() => editing.getByRole('textbox', { name: 'Address' }).count(), 0)
    await editing.getByRole('button', { name: 'Cancel' }).click()
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('a booking that cannot be written says so, also in a drawer that was opened before', async (t) => {
    const services = await service.call('GET', '/services/get/')
    const customers = await service.call('GET', '/customers/get/')
    const named = (rows: typeof services, name: string) => rows.body.response.find((row) => row.name === name)?.id
    const from = Math.floor(today / 86_400 + 3) * 86_400
    const query = {
      services: String(named(services, 'plain')),
      providers: ana,
      min_timestamp: from,
      max_timestamp: from + 86_400,
    }
    const [slot] = (await service.call('GET', '/availability/get/', { query })).body.response
    assert.ok(slot)
    const { availabilityId, serviceId, providerId, start, end } = slot
    const { promise: opened, resolve: refuse } = Promise.withResolvers<void>()
    t.after(() => refuse())
    server.intercept = ({ method }, response) => {
      if (method === 'PUT') void opened.then(() => response.writeHead(507).end())
      return method === 'PUT'
    }
    const body = { availabilityId, serviceId, providerId, start, end, customerId: named(customers, 'Jo') }
    const { body: booked } = await service.call('POST', '/reservations/add/', { body })
    const look = { as: 'admin@clinic.example', alone: true } as const
    const { page, context, errors } = await openPanel(browser, service, '/start', look)
    const asked = page.waitForResponse(/\/calendar-events\//)
    await navigate(page, `/reservations?open=${booked.id}`)
    await asked
    refuse()
    await page.getByText('Not in the calendar').waitFor()
    await takeScreenshot(page, 'accounts-trouble')
    await assertAccessible(page, 'a booking that is not in the calendar')
    server.intercept = () => false
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('the calendar of the second of two accounts that list the same calendars is chosen', async () => {
    const look = { as: 'admin@clinic.example', alone: true } as const
    const { page, context, errors } = await openPanel(browser, service, `/providers?open=${ben}&part=calendars`, look)
    for (const count of [1, 2]) {
      await page.getByRole('button', { name: 'Connect account' }).click()
      const dialog = page.getByRole('dialog', { name: 'Connect a calendar account' })
      await dialog.getByRole('textbox', { name: 'Server' }).fill(server.url)
      await dialog.getByRole('textbox', { name: 'User name' }).fill(user)
      await dialog.getByLabel('Password', { exact: true }).fill(password)
      await dialog.getByLabel('Password', { exact: true }).press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await waitForValue(() => page.getByRole('checkbox', { name: 'Work' }).count(), count)
    }
    await page.getByRole('combobox', { name: 'Write reservations to' }).click()
    await page.getByRole('option', { name: /^Work/ }).last().click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Reservations are written to Work.').waitFor()
    const sql = openSql(service)
    const accounts = await sql('select id from calendar_account where provider_id = ? order by id', [ben])
    const stored = await sql('select account_id from calendar_destination where provider_id = ?', [ben])
    await sql.close()
    assert.deepEqual([accounts.length, stored], [2, [{ account_id: accounts[1]?.id }]])
    for (const left of [1, 0]) {
      await page
        .getByRole('button', { name: /^Actions for 127/ })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await waitForValue(() => page.getByRole('checkbox', { name: 'Work' }).count(), left)
    }
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('a provider connects their own on a phone in the dark, in German', async () => {
    const look = { as: 'provider@clinic.example', alone: true, width: 360, colorScheme: 'dark', locale: 'de' } as const
    const { page, context, errors } = await openPanel(browser, service, '/hours?part=calendars', look)
    await page.getByRole('button', { name: 'Konto verbinden' }).click()
    await page.getByRole('textbox', { name: 'Server' }).fill(server.calendar('private'))
    await page.getByRole('textbox', { name: 'Benutzername' }).fill(user)
    await page.getByLabel('Passwort', { exact: true }).fill(password)
    await page.getByLabel('Passwort', { exact: true }).press('Enter')
    await page.getByText('Das Konto ist verbunden und hat 2 Kalender.').waitFor()
    await page.getByRole('checkbox', { name: 'Private' }).check()
    await page.getByText('Private sperrt Buchungen.').waitFor()
    await takeScreenshot(page, 'accounts-360')
    await assertAccessible(page, 'a connected account on a phone')
    await page.getByRole('button', { name: /^Aktionen für 127/ }).click()
    await page.getByRole('menuitem', { name: 'Entfernen' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Entfernen' }).click()
    await page.getByText('Kein Konto ist verbunden.').waitFor()
    assert.deepEqual(errors, [])
    await context.close()
  })
})
