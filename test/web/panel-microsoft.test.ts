import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { wallTime } from '../../src/scheduling/time/zone.ts'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, ben, standardSite } from '../support/clinic.ts'
import { MicrosoftStandIn } from '../support/microsoft.ts'
import { assertAccessible, openPanel, startPanelService, waitForAnimations } from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'

// The service of this test uses the machine's clock.
const tomorrow = wallTime('UTC', Date.now() / 1_000 + 86_400).slice(0, 10)

describe('Microsoft 365 in the panel, with a server in its place', {
  skip: chromiumProgram() ? false : 'Chromium is not installed',
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  let graph: MicrosoftStandIn
  before(async () => {
    graph = await MicrosoftStandIn.open()
    const env = { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_MICROSOFT_URL: graph.url }
    ;({ service, browser } = await startPanelService({ site: standardSite, env }, ben))
    const at = (time: string) => ({ dateTime: `${tomorrow}T${time}:00.0000000`, timeZone: 'UTC' })
    graph.put({ id: 'dentist=', start: at('10:00'), end: at('11:30') })
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
    await graph?.close()
  })

  test('an administrator registers the site, and connects a calendar that then blocks', async (t) => {
    const look = { as: 'admin@clinic.example', alone: true } as const
    const { page, context } = await openPanel(browser, service, `/providers?open=${ana}&part=calendars`, look)
    t.after(() => context.close())
    await page.getByRole('link', { name: 'Set up Microsoft 365' }).click()
    const settings = page.getByRole('region', { name: 'Microsoft 365' })
    const redirect = await settings.getByRole('textbox', { name: 'Redirect URI' }).inputValue()
    assert.equal(redirect, `${service.url}/admin/calendar-connected`)
    await settings.getByRole('textbox', { name: 'Client ID' }).fill(graph.clientId)
    await settings.getByLabel('Client secret', { exact: true }).fill(graph.clientSecret)
    await waitForAnimations(page)
    await takeScreenshot(page, 'microsoft-settings')
    await assertAccessible(page, 'the registration at Microsoft')
    await settings.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    await page.goto(`${service.url}/admin/providers?open=${ana}&part=calendars`)
    await page.getByRole('button', { name: 'Connect Microsoft 365' }).click()
    await page.getByRole('link', { name: 'Allow' }).click()
    await page.waitForURL(/providers\?open=1/)
    await page.getByText('ana@example.com').first().waitFor()
    await page.getByRole('checkbox', { name: 'Calendar', exact: true }).check()
    await page.getByText('1 busy time until').waitFor()
    await waitForAnimations(page)
    await takeScreenshot(page, 'microsoft-connected')
    await assertAccessible(page, 'a connected account of Microsoft')
  })
})
