import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumProgram, startChromium } from '../support/chromium.ts'
import { addUser, assertAccessible, openPanel, password, signIn } from '../support/panel.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()

describe('signing in over plain http', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    service = await startService()
    await addUser(service, 'admin')
    await addUser(service, 'manager')
    browser = await startChromium(program ?? '', ['desk.example'])
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  test('under a name other than localhost requires https, before and after', async (t) => {
    const url = service.url.replace('127.0.0.1', 'desk.example')
    const { page, context } = await openPanel(browser, { url }, '/', { width: 360, colorScheme: 'dark' })
    t.after(() => context.close())
    await page.getByText('Open this page over https', { exact: true }).waitFor()
    await assertAccessible(page, 'sign-in over plain http')
    await page.getByLabel('E-mail').fill('manager@clinic.example')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('The browser did not keep you signed in.').waitFor()
    await waitForValue(async () => page.url(), /\/sign-in/)
  })

  test('on this machine works with a cookie that does not require https', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/')
    t.after(() => context.close())
    await waitForValue(() => page.getByText('Open this page over https').count(), 0)
    await signIn(page, 'manager@clinic.example')
    const cookies = await context.cookies()
    assert.deepEqual(
      cookies.map(({ name, secure, httpOnly, sameSite }) => [name, secure, httpOnly, sameSite]),
      [
        ['daybook-loopback', false, true, 'Strict'],
        ['daybook-loopback-device', false, true, 'Strict'],
      ],
    )
    assert.deepEqual(errors, [])
  })
})
