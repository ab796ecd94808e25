import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { setUpSecret } from '../support/browser-client.ts'
import { chromiumProgram, startChromium } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import { assertAccessible, closeNotification, navigate, nextDownload, openPanel, password } from '../support/panel.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
const email = 'ann@clinic.example'

describe('the panel of a new installation', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  let page: Page
  let errors: string[]
  before(async () => {
    service = await startService()
    browser = await startChromium(program ?? '')
    // A passkey is bound to a domain name, so the browser uses `localhost` instead of an IP address.
    const named = { url: service.url.replace('127.0.0.1', 'localhost') }
    ;({ page, errors } = await openPanel(browser, named, `/set-up#${setUpSecret(service)}`))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  test('creates its first administrator from the link, and lists the remaining steps', async () => {
    await page.getByLabel('Your name').waitFor()
    await assertAccessible(page, 'set-up')
    await page.getByLabel('Your name').fill('Ann')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('Repeat password').fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('link', { name: 'Finish later' }).click()
    await page.getByRole('heading', { level: 1, name: 'Getting started' }).waitFor()
    await page.getByText('API token for your website (optional) (Done)').waitFor()
    await page.getByText('Team members (To do)').waitFor()
    await assertAccessible(page, 'start')
  })

  test('lists the errors of a site file with their places, and the number of further ones', async () => {
    await navigate(page, '/settings/site-file')
    const put = (site: object) =>
      page.locator('input[type=file]').setInputFiles({
        name: 'site.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(site)),
      })
    const faults = page.getByRole('group', { name: 'Errors in the file' })
    await put({ services: [{ name: 'Cut', durationMinutes: 0 }], '<b>odd</b>': 1 })
    await page.getByText('Nothing was changed: there are 2 errors in the file.').waitFor()
    const [one, other] = await faults.getByRole('listitem').allInnerTexts()
    assert.match(one ?? '', /^services\[0\]\.durationMinutes Must be a whole number from 1 to /)
    assert.match(other ?? '', /^<b>odd<\/b> /)
    await put({ services: Array.from({ length: 120 }, () => ({ name: '' })) })
    await faults.getByText('and 20 more').waitFor()
    await waitForValue(() => faults.getByRole('listitem').count(), 101)
    await page.setViewportSize({ width: 360, height: 800 })
    await assertAccessible(page, 'a site file with faults')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('applies a site file after a preview of its changes', async () => {
    await navigate(page, '/settings/site-file')
    const text = JSON.stringify(standardSite)
    const file = { name: 'site.json', mimeType: 'application/json', buffer: Buffer.from(text) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText(/^Providers, \d added/).waitFor()
    const { providers } = standardSite
    assert.equal((await service.call('GET', '/providers/get/')).body.response.length, 0)
    await page.getByRole('button', { name: 'Apply' }).click()
    await closeNotification(page, 'Site file applied.')
    assert.equal((await service.call('GET', '/providers/get/')).body.response.length, providers.length)
    const site = await kept(page.getByRole('link', { name: 'Download' }).click())
    assert.equal(JSON.parse(site.toString()).providers.length, providers.length)
  })

  test('makes a backup and offers its complete download', async () => {
    await navigate(page, '/settings/system')
    await page.getByRole('button', { name: 'Create backup' }).click()
    const backup = await kept(page.getByRole('link', { name: 'Download' }).click())
    assert.equal(backup.subarray(0, 15).toString(), 'SQLite format 3')
    await assertAccessible(page, 'system with a backup')
  })

  test('signs in with a passkey alone', async () => {
    const device = await page.context().newCDPSession(page)
    await device.send('WebAuthn.enable')
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await navigate(page, '/profile')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name of the passkey').fill('Laptop')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'I have stored the codes' }).click()
    await page.getByText('Laptop').waitFor()
    await assertAccessible(page, 'profile with a passkey')
    await page.getByRole('button', { name: /^Signed in as/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('navigation').first().waitFor()
    await navigate(page, '/start')
    await page.getByText('Second factor for your account (Done)').waitFor()
    assert.deepEqual(errors, [])
  })

  async function kept(clicked: Promise<void>): Promise<Buffer> {
    const download = nextDownload(page)
    await clicked
    return download
  }
})
