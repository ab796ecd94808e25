import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import {
  assertAccessible,
  endSessionAt,
  navigate,
  openPanel,
  password,
  runCommand,
  signIn,
  startPanelService,
} from '../support/panel.ts'
import { administratorSettings, managerSettings } from '../support/panel-settings.ts'
import type { ServiceProcess } from '../support/service.ts'
import { untilRefused } from '../support/until-refused.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()

describe('the panel', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: standardSite }, 1))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const) {
    test(`is accessible, ${width} pixels wide, ${colorScheme}`, async (t) => {
      const { page, context, errors } = await openPanel(browser, service, '/', { width, colorScheme })
      t.after(() => context.close())
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
      await assertAccessible(page, 'sign-in')
      await signIn(page, 'admin@clinic.example')
      for (const path of ['/start', ...managerSettings, ...administratorSettings, '/profile', '/nowhere']) {
        await navigate(page, path)
        await assertAccessible(page, path)
      }
      // The longest label in the bottom bar is that of the page "Reservations". The label of the open page is bold, so
      // that page is opened to make its label as wide as possible.
      await navigate(page, '/reservations')
      const cut = `[...document.querySelectorAll('nav span')]
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
        .map(({ textContent }) => textContent)`
      assert.deepEqual(await page.evaluate(cut), [], 'words of the navigation are cut')
      assert.deepEqual(errors, [])
    })
  }

  test('is usable by keyboard alone: from the palette to a token, its secret once, and its removal', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/')
    t.after(() => context.close())
    const nextYear = new Date().getUTCFullYear() + 1
    await page.getByLabel('E-mail').fill('admin@clinic.example')
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await runCommand(page, 'API tokens')
    await page.getByRole('heading', { level: 1, name: 'API tokens' }).waitFor()
    await page.getByRole('button', { name: 'Create token' }).first().press('Enter')
    await page.getByLabel('Name').waitFor()
    await page.getByLabel('Name').press('Enter')
    await page.locator('input[aria-invalid="true"]').waitFor()
    await page.getByLabel('Name').fill('Our shop')
    await page.getByRole('textbox', { name: 'Expires' }).fill(`${nextYear}-06-30`)
    const adding = page.waitForRequest('**/tokens/add/')
    await page.getByLabel('Name').press('Enter')
    // The token expires at the end of the chosen date in the site's zone, Europe/Berlin, and not in the zone of the
    // browser, which is UTC.
    assert.equal((await adding).postDataJSON().expiresAt, Date.parse(`${nextYear}-06-30T22:00:00Z`) / 1000)
    const secret = await page.getByRole('textbox', { name: 'Secret' }).innerText()
    assert.match(secret, /^dbk_\w{40}$/)
    assert.equal((await service.call('GET', '/auth/verify/', { token: secret })).status, 200)
    await page.getByRole('button', { name: 'Close' }).last().press('Enter')
    await page.getByRole('button', { name: 'Revoke Our shop' }).press('Enter')
    await page.getByRole('button', { name: 'Revoke', exact: true }).press('Enter')
    await page.getByText('Our shop was revoked.').waitFor()
    const late = { since: performance.now(), within: 2_000, late: 'A revoked token was accepted.' }
    const verified = () => service.call('GET', '/auth/verify/', { token: secret })
    await untilRefused(async () => (await verified()).status === 401, late)
    assert.deepEqual(errors, [])
  })

  test('requires a code once an authenticator app is set up, and accepts a recovery code instead', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/profile', {
      as: 'manager@clinic.example',
      alone: true,
    })
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Set up' }).click()
    const secret = await page.getByRole('textbox', { name: 'Secret' }).innerText()
    await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate())
    await page.getByRole('button', { name: 'Confirm' }).click()
    const code = await page.getByRole('dialog').getByRole('listitem').first().innerText()
    await page.getByRole('button', { name: 'I have stored the codes' }).click()
    await page.getByRole('button', { name: /^Signed in as/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail').fill('manager@clinic.example')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(code)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    assert.deepEqual(errors, [])
  })

  test('lets a user whose session has ended sign in over the page, and preserves its state', async (t) => {
    const { page, context } = await openPanel(browser, service, '/settings/site', {
      as: 'admin@clinic.example',
      alone: true,
    })
    t.after(() => context.close())
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('A name not yet saved')
    await endSessionAt(page, '/site/edit/')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await waitForValue(() => name.inputValue(), 'A name not yet saved')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    await page.getByText('A name not yet saved').first().waitFor()
  })
})
