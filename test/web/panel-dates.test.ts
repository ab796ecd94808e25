import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumProgram, openContext } from '../support/chromium.ts'
import { ana, dayLong, standardSite } from '../support/clinic.ts'
import { assertAccessible, navigate, openPanel, password, signIn, startPanelService } from '../support/panel.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()

async function signInGerman(page: Page): Promise<void> {
  await page.getByLabel('E-Mail').fill('manager@clinic.example')
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await page.getByRole('navigation').first().waitFor()
}

describe('dates in the panel', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: standardSite }, ana))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const holidays = async (): Promise<readonly unknown[]> => {
    const file = JSON.parse((await service.daybook('export')).stdout) as { readonly site: { readonly holidays?: [] } }
    return file.site.holidays ?? []
  }

  test('are typed and shown in German notation, and invalid ones are reported beside the field', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/', { locale: 'de-DE', width: 360 })
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Passwort anzeigen oder verbergen' }).waitFor()
    await signInGerman(page)
    await navigate(page, '/settings/policies')
    await page.getByRole('button', { name: 'Feiertag hinzufügen' }).click()
    const [from, to] = [page.getByLabel('Erster Tag').last(), page.getByLabel('Letzter Tag').last()]
    await from.fill('05.12.2026')
    // The last day of a new holiday follows the first day until another one is typed.
    await waitForValue(() => to.inputValue(), '05.12.2026')
    await to.fill('24.13.2026')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Geben Sie ein Datum ein, zum Beispiel 24.12.').waitFor()
    await waitForValue(() => to.inputValue(), '24.13.2026')
    const before = (await holidays()).length
    await to.fill('24.12.2026')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    assert.deepEqual((await holidays()).slice(before), [{ from: '2026-12-05', to: '2026-12-24' }])
    await waitForValue(() => Promise.all([from.inputValue(), to.inputValue()]), ['05.12.2026', '24.12.2026'])
    assert.deepEqual(errors, [])
  })

  test('without a year move the calendar to that day, and the calendar pop-up is German', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/', { locale: 'de-DE', colorScheme: 'dark' })
    t.after(() => context.close())
    await signInGerman(page)
    await navigate(page, '/calendar?date=2026-10-05')
    const day = page.getByRole('textbox', { name: 'Datum' })
    await day.fill('5.12.2026')
    await page.waitForURL(/date=2026-12-05/)
    await day.press('Enter')
    await waitForValue(() => day.inputValue(), '05.12.2026')
    await day.click()
    await page.getByRole('button', { name: 'Dezember 2026', exact: true }).waitFor()
    await assertAccessible(page, 'the pop-up calendar')
    await page.getByRole('button', { name: '24. Dezember 2026' }).click()
    await page.waitForURL(/date=2026-12-24/)
    // The message about an unreadable date is below the field: it neither moves the field nor is covered by the pop-up.
    const top = (await day.boundingBox())?.y
    await day.fill('31.02.2026')
    await day.press('Enter')
    await page.getByText('Geben Sie ein Datum ein, zum Beispiel 24.12.').waitFor()
    await day.click()
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.equal((await day.boundingBox())?.y, top)
    assert.equal((await page.getByRole('button', { name: 'Heute' }).boundingBox())?.y, top)
    await navigate(page, '/reservations')
    await page.getByLabel('Von', { exact: true }).fill('05.12.2026')
    await page.waitForURL(/from=2026-12-05/)
    assert.deepEqual(errors, [])
  })

  test('are compared with the clock of the service, whatever that of the device says', async (t) => {
    const look = { as: 'admin@clinic.example', alone: true } as const
    const { page, context, errors } = await openPanel(browser, service, '/start', look)
    t.after(() => context.close())
    const nextWeek = Temporal.Now.plainDateISO('Europe/Berlin').add({ days: 7 }).toString()
    await page.clock.setSystemTime(Date.now() + 366 * dayLong * 1000)
    await navigate(page, '/settings/api')
    await page.getByRole('button', { name: 'Create token' }).first().click()
    const token = page.getByRole('dialog', { name: 'Create token' })
    await token.getByLabel('Name').fill('Our shop')
    await token.getByRole('textbox', { name: 'Expires' }).fill(nextWeek)
    await token.getByLabel('Name').press('Enter')
    await page.getByRole('textbox', { name: 'Secret' }).waitFor()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await navigate(page, '/vouchers')
    await page.getByRole('button', { name: 'Sell voucher' }).first().click()
    const voucher = page.getByRole('dialog')
    await voucher.getByLabel('Amount').fill('50')
    await voucher.getByRole('textbox', { name: 'Valid until' }).fill(nextWeek)
    await voucher.getByRole('button', { name: 'Issue voucher' }).click()
    await voucher.getByRole('button', { name: 'Done' }).click()
    const shown = nextWeek.split('-').reverse().join('/')
    await page.getByRole('table', { name: 'Vouchers' }).getByText(shown).waitFor()
    assert.deepEqual(errors, [])
  })

  test('are those of the zone that the user of a device in another zone than the site chooses, who is asked once', async (t) => {
    const look = { locale: 'en-GB', timezoneId: 'America/New_York', viewport: { width: 360, height: 800 } }
    const context = await openContext(browser, look)
    t.after(() => context.close())
    const page = await context.newPage()
    await page.goto(`${service.url}/admin/today`)
    await signIn(page, 'manager@clinic.example')
    const question = page.getByText('This device is in another time zone than the site.')
    await question.waitFor()
    await assertAccessible(page, 'the question about the time zone')
    await page.getByRole('button', { name: 'Device time zone: America/New_York' }).click()
    await question.waitFor({ state: 'detached' })
    const shown = page.getByRole('button', { name: /Times are shown in America\/New_York/ })
    await shown.waitFor()
    await page.reload()
    await shown.waitFor()
    assert.equal(await question.count(), 0)
  })
})
