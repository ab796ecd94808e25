import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, ben, cleo } from '../support/clinic.ts'
import {
  assertAccessible,
  closeNotification,
  openPalette,
  openPanel,
  startPanelService,
  waitForData,
} from '../support/panel.ts'
import { opensAt, practice } from '../support/practice.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const seat = (customer: string) => ({ service: 'yoga', provider: ana, customer, start: '2026-10-07T17:00' })

/** The site of the practice with a class of three seats, two of which are booked. */
const withClass = {
  ...practice,
  services: [...practice.services, { key: 'yoga', name: 'Yoga', durationMinutes: 60, capacity: 3 }],
  reservations: [...practice.reservations, seat('Weber'), seat('Kowalski')],
}

describe('closures and absences', { skip: chromiumProgram() ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: withClass, now: opensAt }, ana))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const enter = (path: string, look: object = {}) =>
    openPanel(browser, service, path, { as: 'manager@clinic.example', ...look })
  const rows = async (query: string, values: readonly (string | number)[] = []) => {
    const sql = openSql(service)
    const found = await sql(query, [...values])
    await sql.close()
    return found
  }

  test('the public holidays of a country are added, the affected reservation is shown first, and known ones are marked', async (t) => {
    const { page, context, errors } = await enter('/settings/policies', { width: 390, colorScheme: 'dark' })
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Add public holidays' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add public holidays' })
    await dialog.getByRole('combobox', { name: 'Country' }).fill('Esto')
    await page.getByRole('option', { name: 'Estonia' }).click()
    await dialog.getByRole('combobox', { name: 'Years' }).click()
    await page.getByRole('option', { name: '1 year', exact: true }).click()
    const eve = dialog.getByRole('checkbox', { name: /24 December 2026/ })
    await eve.waitFor()
    await assertAccessible(page, 'the public holidays of a country')
    // One of the public holidays is unchecked, as a practice that works on that date does.
    await dialog.getByRole('checkbox', { name: /26 December 2026/ }).uncheck()
    await dialog.getByRole('button', { name: /^Add \d+ dates$/ }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const question = page.getByRole('dialog', { name: '1 reservation conflicts with this change' })
    await question.getByText('Petra Novak').waitFor()
    await question.getByText('Closed: Christmas Eve').waitFor()
    await question.getByRole('button', { name: 'Save anyway' }).click()
    await closeNotification(page, 'Saved.')
    const [site] = await rows('select holidays from site')
    const dates = (JSON.parse(String(site?.holidays)) as { from: string }[]).map(({ from }) => from)
    assert.ok(dates.includes('2026-12-24') && !dates.includes('2026-12-26'), dates.join())
    await page.getByRole('button', { name: 'Add public holidays' }).click()
    await dialog.getByRole('combobox', { name: 'Country' }).fill('Esto')
    await page.getByRole('option', { name: 'Estonia' }).click()
    await eve.and(page.locator(':disabled')).waitFor()
    for (const view of ['day', 'week', 'month']) {
      await page.goto(`${service.url}/admin/calendar?view=${view}&date=2026-12-24`)
      await page
        .getByText(/Closed: Christmas Eve/)
        .first()
        .waitFor()
      await assertAccessible(page, `a holiday in the ${view}`)
    }
    assert.deepEqual(errors, [])
  })

  test('the holidays of a calendar file are added, and another file is refused', async (t) => {
    const { page, context, errors } = await enter('/settings/policies', {})
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Add public holidays' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add public holidays' })
    const choose = (content: string) =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'holidays.ics', mimeType: 'text/calendar', buffer: Buffer.from(content) })
    await choose('<!doctype html>')
    await dialog.getByText('The file is not a calendar').waitFor()
    const event = (lines: string) => `BEGIN:VEVENT\r\n${lines}\r\nEND:VEVENT\r\n`
    const feast = event('DTSTART;VALUE=DATE:20001130\r\nRRULE:FREQ=YEARLY\r\nSUMMARY:Patron’s day')
    const timed = event('DTSTART:20261130T100000Z\r\nSUMMARY:Concert')
    await choose(`BEGIN:VCALENDAR\r\n${feast}${timed}END:VCALENDAR\r\n`)
    await dialog.getByRole('checkbox', { name: /30 November 2026 · Patron’s day/ }).waitFor()
    // The click closes the list of countries, which is open when the dialog appears.
    await dialog.getByText('1 event with a time of day').click()
    await assertAccessible(page, 'the holidays of a calendar file')
    await dialog.getByRole('button', { name: /^Add \d dates$/ }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await closeNotification(page, 'Saved.')
    const [site] = await rows('select holidays from site')
    assert.match(String(site?.holidays), /2027-11-30/)
    await page.getByRole('button', { name: 'Add holiday' }).click()
    await page.getByRole('link', { name: 'Services', exact: true }).click()
    const unsaved = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
    await unsaved.getByRole('button', { name: 'Cancel' }).click()
    await unsaved.waitFor({ state: 'hidden' })
    await waitForValue(async () => page.url(), /policies/)
    await page.getByRole('link', { name: 'Services', exact: true }).click()
    await unsaved.getByRole('button', { name: 'Discard changes' }).click()
    await page.waitForURL(/services/)
    assert.deepEqual(errors, [])
  })

  test('the palette knows what people call a setting, and leads to it', async (t) => {
    const { page, context, errors } = await enter('/today')
    t.after(() => context.close())
    await page.getByText('Key figures').waitFor()
    const find = async (words: string, topic: string) => {
      await (await openPalette(page)).fill(words)
      await page.getByRole('button', { name: topic }).click()
    }
    await find('closed', 'Holidays and closed days')
    const holidays = page.getByRole('heading', { name: 'Holidays', exact: true })
    await holidays.waitFor()
    const isInUpperHalf = "document.getElementById('holidays').getBoundingClientRect().top < innerHeight / 2"
    await waitForValue(() => page.evaluate(isInUpperHalf), true)
    await find('ill', 'Plan an absence')
    await page.waitForURL(/absence/)
    assert.deepEqual(errors, [])
  })

  test('several providers go on vacation at once, past the reservations in the way, and it is undone at once', async (t) => {
    const { page, context, errors } = await enter('/calendar?view=day&date=2026-10-08')
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Add time off' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add time off' }).or(page.getByRole('dialog', { name: 'Time off' }))
    await dialog.getByRole('combobox', { name: 'Providers' }).click()
    for (const name of ['Ben', 'Cleo']) await page.getByRole('option', { name, exact: true }).click()
    await waitForValue(() => dialog.getByRole('textbox', { name: 'First day' }).inputValue(), '08/10/2026')
    await dialog.getByRole('textbox', { name: 'Last day' }).fill('09/10/2026')
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Fair')
    await dialog.getByText('There are 2 reservations in this time').waitFor()
    await assertAccessible(page, 'a vacation of several providers')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    assert.deepEqual(await rows('select id from busy'), [])
    await dialog.getByRole('checkbox', { name: /leave the reservations unchanged/ }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Time off saved for 2 providers.').waitFor()
    const away = await rows('select provider_id from busy order by provider_id')
    assert.deepEqual(
      away.map((row) => Number(row.provider_id)),
      [ben, cleo],
    )
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitForData(page)
    await page.getByText('Fair').first().waitFor({ state: 'detached' })
    assert.deepEqual(await rows('select id from busy'), [])
    assert.deepEqual(errors, [])
  })

  test('time off in which somebody is booked leads to other times and providers', async (t) => {
    const { page, context, errors } = await enter('/calendar?view=day&date=2026-10-08', { width: 390 })
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Add time off' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add time off' }).or(page.getByRole('dialog', { name: 'Time off' }))
    await dialog.getByRole('combobox', { name: 'Providers' }).click()
    await page.getByRole('option', { name: 'Ben', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Last day' }).fill('09/10/2026')
    await dialog.getByRole('checkbox', { name: 'All day' }).uncheck()
    await waitForValue(() => dialog.getByRole('textbox', { name: /^Start \(/ }).inputValue(), /^08\/10\/2026, 08:00/)
    await takeScreenshot(page, 'time-off')
    await dialog.getByRole('checkbox', { name: 'All day' }).check()
    await dialog.getByText('There is one reservation in this time').waitFor()
    await assertAccessible(page, 'time off in which somebody is booked')
    await dialog.getByRole('link', { name: 'Find another time or provider for each' }).click()
    await page.getByText('Karin Weber').first().waitFor()
    await waitForValue(async () => page.url(), /absence\?.*from=2026-10-08&to=2026-10-09/)
    assert.deepEqual(errors, [])
  })

  test('a break is put into the hours of a day, copied to others, and splits the hours', async (t) => {
    const { page, context, errors } = await enter(`/providers?open=${cleo}&part=week`, { width: 390 })
    t.after(() => context.close())
    await page.getByRole('button', { name: /^Add a break: Tuesday/ }).click()
    await page.getByRole('textbox', { name: 'Tuesday, 1, to' }).fill('12:00')
    await page.getByRole('textbox', { name: 'Tuesday, 2, from' }).fill('13:00')
    await page.getByRole('button', { name: 'Copy Tuesday to…' }).click()
    await page.getByRole('menuitem', { name: 'Every day' }).click()
    await assertAccessible(page, 'a break in the week')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Weekly hours saved.').waitFor()
    const [row] = await rows('select weekly from provider where id = ?', [cleo])
    const weekly: Record<string, string[]> = JSON.parse(String(row?.weekly))
    assert.deepEqual(
      [weekly.tue, weekly.sun],
      [
        ['08:00-12:00', '13:00-18:00'],
        ['08:00-12:00', '13:00-18:00'],
      ],
    )
    assert.deepEqual(errors, [])
  })

  test('fewer seats than are booked are shown before they are saved, and enough seats are saved at once', async (t) => {
    const { page, context, errors } = await enter('/services', { width: 390 })
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Yoga', exact: true }).click()
    const capacity = page.getByRole('textbox', { name: 'Seats' })
    await capacity.fill('1')
    await page.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('dialog', { name: /^\d+ reservations? conflicts? with this change$/ })
    await question
      .getByText(/Karin Weber|Jan Kowalski/)
      .first()
      .waitFor()
    await assertAccessible(page, 'reservations beyond the seats')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    const seats = async () =>
      JSON.parse(String((await rows(`select settings from service where name = 'Yoga'`))[0]?.settings)).capacity
    assert.equal(await seats(), 3)
    await capacity.fill('2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    assert.equal(await seats(), 2)
    assert.deepEqual(errors, [])
  })

  test('withdrawing a service shows its upcoming reservations before it is saved', async (t) => {
    const { page, context, errors } = await enter('/services')
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Massage', exact: true }).click()
    await page.getByRole('switch', { name: /Active|Bookable/ }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('dialog', { name: /^\d+ reservations? conflicts? with this change$/ })
    await question.getByText('Uwe Brandt').waitFor()
    await assertAccessible(page, 'reservations of a withdrawn service')
    const discard = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
    await page.evaluate('history.back()')
    await discard.getByRole('button', { name: 'Cancel' }).click()
    await discard.waitFor({ state: 'detached' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    const isActive = async () =>
      JSON.parse(String((await rows(`select settings from service where name = 'Massage'`))[0]?.settings)).active
    assert.notEqual(await isActive(), false)
    // The changes are still unsaved.
    await page.keyboard.press('Escape')
    await discard.getByRole('button', { name: 'Cancel' }).click()
    await discard.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).click()
    await question.getByRole('button', { name: 'Save anyway' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    assert.equal(await isActive(), false)
    assert.deepEqual(errors, [])
  })
  test('time off of whole days that is too long is refused beside its last day', async (t) => {
    const { page, context, errors } = await enter('/calendar?view=day&date=2026-10-08')
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Add time off' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add time off' }).or(page.getByRole('dialog', { name: 'Time off' }))
    await dialog.getByRole('combobox', { name: 'Providers' }).click()
    await page.getByRole('option', { name: 'Ben', exact: true }).click()
    const last = dialog.getByRole('textbox', { name: 'Last day' })
    await last.fill('08/10/2029')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await waitForValue(() => last.getAttribute('aria-invalid'), 'true')
    await dialog.getByText('Must be at most two years after start').waitFor()
    assert.deepEqual(errors, [])
  })
})
