import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { toInstant } from '../../src/scheduling/time/zone.ts'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, ben, cleo, now, standardSite } from '../support/clinic.ts'
import {
  addUser,
  assertAccessible,
  assertMenuReadable,
  idOf,
  navigate,
  openPanel,
  startPanelService,
  waitForAnimations,
  waitForData,
} from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
const booked = (key: string, customer: string, time: string, more: object = {}) => ({
  ...{ key, customer, start: `2026-10-06T${time}`, service: 'plain', provider: ana, status: 'confirmed' },
  ...more,
})
// 7 October in Berlin.
const day = { from: 1_791_324_000, until: 1_791_410_400 }
const site = {
  ...standardSite,
  reservations: [
    booked('one', 'Jo', '09:00'),
    booked('two', 'Mia', '10:00'),
    booked('three', 'Max', '11:00', { status: 'pending', service: 'approved' }),
    // Ben is booked at 12:00 too, so this time cannot be suggested for Kim.
    booked('four', 'Kim', '12:00'),
    booked('five', 'Jo', '12:00', { provider: ben }),
    booked('six', 'Kim', '09:30', { start: '2026-10-07T09:30' }),
  ],
}

describe('absence', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site, now }, ana))
    await addUser(service, 'receptionist')
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  test('a sick day is planned from the calendar: time off, suggestions, all at once, and undone as a whole', async (t) => {
    const look = { as: 'receptionist@clinic.example' }
    const { page, context, errors } = await openPanel(browser, service, '/calendar?view=day&date=2026-10-06', look)
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Actions: Ana' }).waitFor()
    await assertMenuReadable(page, 'Actions: Ana')
    await page.getByRole('button', { name: 'Actions: Ana' }).click()
    await page.getByRole('menuitem', { name: 'Plan an absence' }).click()
    await page.getByRole('heading', { name: 'Affected reservations (4)' }).waitFor()
    await assertAccessible(page, 'an absence')
    await page.getByRole('button', { name: 'Record time off' }).click()
    await page.getByText('Ana is marked as absent: no new bookings in this time.').first().waitFor()
    const forKim = page.getByRole('combobox', { name: 'Suggestion for Kim' })
    await waitForValue(() => page.getByRole('combobox', { name: 'Suggestion for Jo' }).inputValue(), /^09:00, Ben$/)
    assert.doesNotMatch(await forKim.inputValue(), /^12:00/, 'Ben is busy at twelve')
    // Another user takes the time suggested for Mia. The test holds back the first page's request for new suggestions
    // until its user has accepted the outdated ones.
    const released = Promise.withResolvers<void>()
    await page.route('**/admin/api/replanning/?*', (route) => released.promise.then(() => route.continue()))
    const rival = await openPanel(browser, service, '/calendar', { as: 'manager@clinic.example' })
    const taken = await rival.page.evaluate(`fetch('/admin/api/calendar/free/?serviceId=' +
      encodeURIComponent('${await idOf(service, '/services/get/', 'plain')}') + '&providerId=${ben}&from=1791273600').then((a) => a.json())
      .then(async ({ response: { times } }) => (await fetch('/admin/api/calendar/book/', { method: 'POST',
        headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({
          serviceId: '${await idOf(service, '/services/get/', 'plain')}', providerId: ${ben}, start: times[0].start,
          customerId: '${await idOf(service, '/customers/get/', 'Max')}' }) })).status)`)
    assert.equal(taken, 200)
    await rival.context.close()
    await page.getByText('No messages are sent. Please phone:').waitFor()
    await takeScreenshot(page, 'absence')
    await page.getByRole('button', { name: 'Accept 4 suggestions' }).click()
    released.resolve()
    await page.getByText('3 reservations moved.').waitFor()
    const left = page.getByRole('listitem').filter({ hasText: 'There is a new suggestion.' })
    await left.getByRole('link', { name: 'Mia' }).waitFor()
    await waitForData(page)
    await assertAccessible(page, 'a refused suggestion, and what was done')
    await page.getByRole('button', { name: 'Accept: Mia' }).click()
    await page.getByText('No upcoming reservations are affected.').waitFor()
    await page.getByRole('checkbox', { name: 'Kim was phoned' }).check()
    await takeScreenshot(page, 'absence-done')
    await assertAccessible(page, 'who was phoned')
    await page.getByRole('button', { name: 'Undo all' }).click()
    await page.getByRole('heading', { name: 'Affected reservations (4)' }).waitFor()
    await page.getByRole('button', { name: 'Record time off' }).waitFor()
    await page.getByRole('heading', { name: 'Done' }).waitFor({ state: 'detached' })
    assert.deepEqual(errors, [])
  })

  test('a time is booked twice on purpose, with a reason, once the provider allows it', async (t) => {
    const look = { as: 'manager@clinic.example' }
    const path = `/providers?open=${ana}&part=details`
    const { page, context, errors } = await openPanel(browser, service, path, look)
    t.after(() => context.close())
    await page.getByRole('switch', { name: 'Allow double bookings' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    await navigate(page, '/calendar?view=day&date=2026-10-07&book=1')
    const dialog = page.getByRole('dialog', { name: 'New booking' })
    await dialog.getByRole('combobox', { name: 'Service' }).fill('plain')
    await page.getByRole('option', { name: 'plain', exact: true }).click()
    await dialog.getByRole('combobox', { name: 'Provider' }).fill('Ana')
    await page.getByRole('option', { name: 'Ana' }).click()
    await dialog.getByLabel(/^Start/).fill('07/10/2026 09:30')
    await page.keyboard.press('Tab')
    await dialog.getByText('Fully booked').waitFor()
    await dialog.getByLabel('Customer').fill('mia')
    await page.getByRole('option', { name: /Mia/ }).click()
    await dialog.getByLabel('Reason for the double booking').fill('Twins')
    await assertAccessible(page, 'a double booking')
    await dialog.getByRole('button', { name: 'Double-book' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/^Booked for/).waitFor()
    assert.deepEqual(errors, [])
  })

  test('an absence of several days fits a phone, in the dark, and is left to the desk', async (t) => {
    const path = `/calendar/absence?providerId=${ana}&from=2026-10-06&to=2026-10-07`
    const look = { as: 'manager@clinic.example', width: 360, colorScheme: 'dark' } as const
    const { page, context, errors } = await openPanel(browser, service, path, look)
    t.after(() => context.close())
    await page.getByRole('heading', { name: 'Affected reservations (6)' }).waitFor()
    await assertAccessible(page, 'an absence on a phone')
    await page.getByRole('combobox', { name: 'Suggestion for Jo' }).click()
    await page.getByRole('option').first().waitFor()
    await waitForAnimations(page)
    await page.getByRole('option').nth(1).click()
    await page.getByRole('button', { name: 'Accept: Jo' }).click()
    await page.getByText('1 reservation moved.').waitFor()
    await navigate(page, '/today')
    await navigate(page, path)
    await page.getByRole('button', { name: 'Undo: Jo' }).click()
    await page.getByText('1 reservation moved back.').waitFor()
    const other = await openPanel(browser, service, path, { as: 'provider@clinic.example' })
    await other.page.getByRole('heading', { name: 'No access' }).waitFor()
    await other.context.close()
    assert.deepEqual(errors, [])
  })

  test('an absence is undone as a whole when its time off and a reservation were removed elsewhere', async (t) => {
    const path = `/calendar/absence?providerId=${ana}&from=2026-10-07&to=2026-10-07`
    const { page, context } = await openPanel(browser, service, path, { as: 'manager@clinic.example' })
    t.after(() => context.close())
    await page.getByRole('heading', { name: 'Affected reservations (2)' }).waitFor()
    const [removed = ''] = await reservationsOf7October(service)
    await page.getByRole('button', { name: 'Record time off' }).click()
    await page.getByText('Ana is marked as absent: no new bookings in this time.').first().waitFor()
    await page.getByRole('button', { name: 'Accept 2 suggestions' }).click()
    await page.getByText('No upcoming reservations are affected.').waitFor()
    const status =
      await page.evaluate(`fetch('/admin/api/time-off/?providerId=${ana}&from=${day.from}&until=${day.until}')
      .then((answer) => answer.json()).then(({ response: { items: [{ id }] } }) =>
        fetch('/admin/api/time-off/remove/', { method: 'POST', headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ id }) })).then((answer) => answer.status)`)
    assert.equal(status, 200)
    assert.equal((await service.call('POST', '/reservations/remove/', { query: { id: removed } })).status, 200)
    await page.getByRole('button', { name: 'Undo all' }).click()
    await page.getByText('1 reservation moved back.').waitFor()
    await page.getByRole('heading', { name: 'Done' }).waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Affected reservations (1)' }).waitFor()
  })

  test('the days of an absence are those of the provider’s time zone, which is named if it is another one', async (t) => {
    const path = `/calendar/absence?providerId=${cleo}&from=2026-10-07&to=2026-10-08`
    const { page, context, errors } = await openPanel(browser, service, path, { as: 'manager@clinic.example' })
    t.after(() => context.close())
    await page.getByRole('textbox', { name: 'First day (America/New_York)', exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Last day (America/New_York)', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Record time off' }).click()
    await page.getByText('Cleo is marked as absent: no new bookings in this time.').first().waitFor()
    const sql = openSql(service)
    const [row] = await sql('select start_at, end_at from busy where provider_id = ?', [cleo])
    await sql.close()
    assert.deepEqual(
      [row?.start_at, row?.end_at].map(Number),
      ['2026-10-07T00:00', '2026-10-09T00:00'].map((wall) => toInstant('America/New_York', wall)),
    )
    assert.deepEqual(errors, [])
  })
})

/** Returns the ids of Ana's reservations on 7 October. */
async function reservationsOf7October(service: ServiceProcess): Promise<readonly string[]> {
  const { body } = await service.call<{ response: { id: string; start: number }[] }>('GET', '/reservations/get/', {
    query: { providers: ana },
  })
  return body.response.filter(({ start }) => start >= day.from && start < day.until).map(({ id }) => id)
}
