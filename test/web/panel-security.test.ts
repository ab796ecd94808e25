import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { now } from '../support/clinic.ts'
import {
  assertAccessible,
  closeNotification,
  navigate,
  openPanel,
  password,
  signIn,
  startPanelService,
  waitForData,
} from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const site = {
  site: { name: 'Harbour Clinic', timezone: 'Europe/Berlin', language: 'en' },
  services: [{ key: 'cut', name: 'Cut', durationMinutes: 30 }],
  providers: [{ id: 3, name: 'Ana Ruiz' }],
}

describe('security in the panel', { timeout: 600_000 }, () => {
  let service: ServiceProcess
  let browser: Browser
  let sql: Sql
  before(async () => {
    ;({ service, browser } = await startPanelService({ now, site }, 3))
    sql = openSql(service)
  })
  after(async () => {
    await sql.close()
    await browser.close()
    await service.kill()
  })

  const stale = () => sql('update session set authenticated_at = 0')
  test('changes of accounts require a proof of identity, then continue with the typed values', async () => {
    const { page, context, errors } = await openPanel(browser, service, '/settings/team', {
      as: 'admin@clinic.example',
      alone: true,
    })
    await waitForData(page)
    await stale()
    await page.getByRole('button', { name: 'Add team member' }).click()
    await page.getByLabel('Name').fill('Mia Berg')
    await page.getByRole('dialog').getByLabel('E-mail').fill('mia@clinic.example')
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('dialog').getByText('Choose a role.').waitFor()
    await page.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: /^Manager/ }).click()
    await page.getByText('Runs the site').first().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    const asked = page.getByRole('dialog', { name: 'Confirm your identity' })
    await asked.waitFor()
    await takeScreenshot(page, 'proof-1280')
    await assertAccessible(page, 'confirming who it is')
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'detached' })
    await waitForValue(() => page.getByText('Confirm your identity to continue.').count(), 0)
    await waitForValue(() => page.getByLabel('Name').inputValue(), 'Mia Berg')

    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await asked.getByLabel('Password', { exact: true }).fill('not the right one')
    await asked.getByRole('button', { name: 'Confirm' }).click()
    await asked.getByText('The e-mail address, password or code is wrong').waitFor()
    await asked.getByLabel('Password', { exact: true }).fill(password)
    await asked.getByRole('button', { name: 'Confirm' }).click()
    const link = page.getByRole('dialog', { name: 'Link for Mia Berg' })
    await link.waitFor()
    assert.match((await link.getByRole('textbox', { name: 'Link' }).textContent()) ?? '', /set-password#[\w-]{43}$/)
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('a new password link is offered for an active user, and not for a disabled one', async () => {
    const { page, context, errors } = await openPanel(browser, service, '/settings/team', {
      as: 'admin@clinic.example',
      alone: true,
    })
    const offered = async () => {
      await page.getByRole('button', { name: 'Actions: manager', exact: true }).click()
      const menu = page.getByRole('menu')
      await menu.getByRole('menuitem', { name: 'Edit' }).waitFor()
      return menu.getByRole('menuitem', { name: 'New password link' }).count()
    }
    assert.equal(await offered(), 1)
    await sql("update person set status = 'disabled' where role = 'manager'")
    await page.reload()
    assert.equal(await offered(), 0)
    await sql("update person set status = 'active' where role = 'manager'")
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('a download requires the same', async () => {
    const { page, context } = await openPanel(browser, service, '/settings/site-file', {
      as: 'admin@clinic.example',
      alone: true,
    })
    await waitForData(page)
    await stale()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const asked = page.getByRole('dialog', { name: 'Confirm your identity' })
    await asked.getByLabel('Password', { exact: true }).fill(password)
    await asked.getByRole('button', { name: 'Confirm' }).click()
    assert.equal((await download).suggestedFilename(), 'site.json')
    await context.close()
  })

  test('a link sets a password with a strength estimate, and disappears from the URL at once', async () => {
    const made = await service.daybook('user', 'link', '--email', 'mia@clinic.example')
    const secret = made.stdout.trim().split('#').at(-1)
    const { page, context, errors } = await openPanel(browser, service, `/set-password#${secret}`, { width: 360 })
    await page.getByLabel('New password').fill('password12')
    await page.getByText('Password strength: Weak').waitFor()
    assert.ok(!page.url().includes(secret ?? ''), page.url())
    await page.getByLabel('Repeat password').fill('password12')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('This password is too common').waitFor()
    await takeScreenshot(page, 'strength-360')
    await assertAccessible(page, 'a weak password')
    await page.getByLabel('New password').fill('four words of my own')
    await page.getByLabel('Repeat password').fill('four words of my own')
    await page.getByText('Password strength: Very strong').waitFor()
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Your password is set.').waitFor()
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('administrators see all events as sentences, by user and kind; other users their own', async () => {
    for (const look of [{ width: 1280 }, { width: 360, colorScheme: 'dark' }] as const) {
      const { page, context, errors } = await openPanel(browser, service, '/settings/history?view=security', {
        ...look,
        as: 'admin@clinic.example',
        alone: true,
      })
      await page.getByText('created a password link for Mia Berg.').first().waitFor()
      await waitForData(page)
      await takeScreenshot(page, `security-${look.width}`)
      await assertAccessible(page, `the security history at ${look.width}`)
      await navigate(page, '/profile')
      await page.getByText('admin failed to confirm their identity.').waitFor()
      await takeScreenshot(page, `profile-${look.width}`)
      await assertAccessible(page, `the profile at ${look.width}`)
      assert.deepEqual(errors, [])
      await context.close()
    }
  })

  test('a role that requires a second factor is warned of the deadline, and then must set one up first', async () => {
    const { page: boss, context: first } = await openPanel(browser, service, '/settings/policies')
    await signIn(boss, 'admin@clinic.example')
    await boss.getByRole('checkbox', { name: 'Manager' }).check()
    await takeScreenshot(boss, 'policies-1280')
    const form = boss.getByRole('region', { name: 'Second factor' })
    await form.getByRole('button', { name: 'Save' }).click()
    await closeNotification(boss, 'Saved.')
    await assertAccessible(boss, 'the policies')

    const { page, context, errors } = await openPanel(browser, service, '/start', {
      as: 'manager@clinic.example',
      alone: true,
      width: 360,
    })
    await page.getByText(/From .*, your role requires a second factor\./).waitFor()
    await takeScreenshot(page, 'due-360')
    await assertAccessible(page, 'the notice')
    await form.getByLabel('Grace period in days', { exact: true }).fill('0')
    await form.getByRole('button', { name: 'Save' }).click()
    await closeNotification(boss, 'Saved.')
    await page.reload()
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    await waitForData(page)
    await takeScreenshot(page, 'enrol-360')
    await assertAccessible(page, 'enrolling')
    await waitForValue(() => page.getByRole('navigation').count(), 0)
    assert.deepEqual(errors, [])
    await sql("update person set factors_lifted_at = ? where role = 'manager'", [now])
    await form.getByRole('checkbox', { name: 'Manager' }).uncheck()
    await form.getByRole('button', { name: 'Save' }).click()
    await boss.getByText('Saved.', { exact: true }).first().waitFor()
    await page.reload()
    await page.getByText('Your second factors were removed via a password link').waitFor()
    await takeScreenshot(page, 'lifted-360')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('Your second factors were removed').waitFor({ state: 'detached' })
    await context.close()
    await first.close()
  })
})
