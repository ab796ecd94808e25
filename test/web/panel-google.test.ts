import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { wallTime } from '../../src/scheduling/time/zone.ts'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, ben, standardSite } from '../support/clinic.ts'
import { GoogleStandIn } from '../support/google.ts'
import { assertAccessible, openPanel, startPanelService, waitForAnimations } from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

// The service of this test uses the machine's clock.
const tomorrow = wallTime('Europe/Berlin', Date.now() / 1_000 + 86_400).slice(0, 10)

describe('Google Calendar in the panel, with a server in its place', {
  skip: chromiumProgram() ? false : 'Chromium is not installed',
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  let google: GoogleStandIn
  before(async () => {
    google = await GoogleStandIn.open()
    const env = { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_GOOGLE_URL: google.url }
    ;({ service, browser } = await startPanelService({ site: standardSite, env }, ben))
    const at = (time: string) => ({ dateTime: `${tomorrow}T${time}:00Z` })
    google.put('ana@example.com', { id: 'dentist1', start: at('10:00'), end: at('11:30') })
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
    await google?.close()
  })

  test('an administrator registers the site, and connects a calendar that then blocks', async (t) => {
    const look = { as: 'admin@clinic.example', alone: true } as const
    const { page, context, errors } = await openPanel(browser, service, `/providers?open=${ana}&part=calendars`, look)
    t.after(() => context.close())
    await page.getByRole('link', { name: 'Set up Google Calendar' }).click()
    const settings = page.getByRole('region', { name: 'Google Calendar' })
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.getByText('Enter the client ID.').waitFor()
    const redirect = await settings.getByRole('textbox', { name: 'Redirect URI' }).inputValue()
    assert.equal(redirect, `${service.url}/admin/calendar-connected`)
    await settings.getByRole('textbox', { name: 'Client ID' }).fill(google.clientId)
    await settings.getByLabel('Client secret', { exact: true }).fill(google.clientSecret)
    await waitForAnimations(page)
    await takeScreenshot(page, 'google-settings')
    await assertAccessible(page, 'the registration at Google')
    await settings.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    await page.goto(`${service.url}/admin/providers?open=${ana}&part=calendars`)
    await page.getByRole('button', { name: 'Connect Google Calendar' }).click()
    await page.getByRole('link', { name: 'Allow' }).click()
    await page.waitForURL(/providers\?open=1/)
    await page.getByText('ana@example.com').first().waitFor()
    await page.getByRole('checkbox', { name: 'Ana', exact: true }).check()
    await page.getByText('1 busy time until').waitFor()
    await waitForAnimations(page)
    await takeScreenshot(page, 'google-connected')
    await assertAccessible(page, 'a connected account of Google')
    await page.getByRole('combobox', { name: 'Write reservations to' }).click()
    await page.getByRole('option', { name: /^Ana/ }).click()
    await page.getByRole('switch', { name: 'Create a Google Meet link for online appointments' }).check()
    await waitForAnimations(page)
    await takeScreenshot(page, 'google-meetings')
    await assertAccessible(page, 'a calendar that creates meetings')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Reservations are written to Ana.').waitFor()
    // After access was revoked, the panel asks the user to sign in again, to the same account.
    google.revoke()
    await page.getByRole('button', { name: 'Actions for Google Calendar' }).click()
    await page.getByRole('menuitem', { name: 'Test and list calendars again' }).click()
    await page.getByText('The server refuses access.').first().waitFor()
    await page.getByRole('button', { name: 'Actions for Google Calendar' }).click()
    await page.getByRole('menuitem', { name: 'Sign in again' }).click()
    await page.getByRole('link', { name: 'Allow' }).click()
    await page.waitForURL(/providers\?open=1/)
    await page.getByText('ana@example.com').first().waitFor()
    await page.getByText('The server refuses access.').first().waitFor({ state: 'detached' })
    await waitForValue(() => page.getByRole('checkbox', { name: 'Ana', exact: true }).count(), 1)
    // Requests to the stand-in are expected, because the consent page belongs to Google's origin.
    assert.deepEqual(
      errors.filter((address) => !address.startsWith(google.url)),
      [],
    )
  })

  test('a provider connects their own on a phone; a refusal, and what was brought back twice, connect nothing', async (t) => {
    const look = { as: 'provider@clinic.example', alone: true, width: 360, colorScheme: 'dark' } as const
    const { page, context } = await openPanel(browser, service, '/hours?part=calendars', look)
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Connect Google Calendar' }).click()
    const link = page.getByRole('link', { name: 'Allow' })
    const address = (await link.getAttribute('href')) ?? ''
    await link.click()
    await page.waitForURL(/\/hours/)
    await page.getByRole('checkbox', { name: 'Team' }).waitFor()
    await page.goto(address)
    await page.getByText('The sign-in took too long, or was used already.').waitFor()
    await assertAccessible(page, 'a sign-in that was used')
    await page.goto(`${service.url}/admin/calendar-connected?error=access_denied&state=x`)
    await page.getByText('No access was granted.').waitFor()
    await assertAccessible(page, 'a refused sign-in')
    await page.getByRole('button', { name: 'Back to the calendars' }).click()
    await page.waitForURL(/\/hours/)
    await page.getByRole('heading', { name: 'Google Calendar' }).first().waitFor()
    await waitForValue(() => page.getByRole('heading', { name: 'Google Calendar' }).count(), 1)
  })
})
