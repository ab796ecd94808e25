import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { toInstant } from '../../src/scheduling/time/zone.ts'
import { assertAccessibleWithoutHover, boxOf, card, click, hourOffset } from '../support/calendar-page.ts'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, cleo, now, standardSite } from '../support/clinic.ts'
import { openPanel, type PanelPage, startPanelService } from '../support/panel.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const reservation = { key: 'mia', customer: 'Mia', start: '2026-10-06T11:00', service: 'plain', provider: ana }
const overnight = { key: 'kim', customer: 'Kim', start: '2026-10-07T22:00', service: 'night', provider: ana }
const site = {
  ...standardSite,
  services: [...standardSite.services, { key: 'night', name: 'night', durationMinutes: 180, intervalMinutes: 15 }],
  reservations: [reservation, overnight].map((one) => ({ ...one, status: 'confirmed' })),
}

describe('the views of the calendar', { skip: chromiumProgram() ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site, now }, ana))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const enter = async (query: string): Promise<PanelPage> => {
    const panel = await openPanel(browser, service, `/calendar?${query}`, { as: 'manager@clinic.example' })
    await panel.page.locator('[data-column]').first().waitFor()
    return panel
  }

  test('whole days of time off are those of the provider’s time zone, which is named if it is another one', async (t) => {
    const { page, context, errors } = await enter('date=2026-10-15')
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Add time off' }).click()
    const dialog = page.getByRole('dialog', { name: 'Time off' })
    await page.getByRole('option', { name: 'Ana', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'First day', exact: true }).waitFor()
    await page.getByRole('option', { name: 'Cleo', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'First day (Europe/Berlin)', exact: true }).waitFor()
    await dialog.getByRole('textbox', { name: 'Last day (Europe/Berlin)', exact: true }).waitFor()
    await page.getByRole('option', { name: 'Ana', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'First day (America/New_York)', exact: true }).waitFor()
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Vacation')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Time off saved.').waitFor()
    const sql = openSql(service)
    const [row] = await sql('select start_at, end_at from busy where provider_id = ?', [cleo])
    await sql.close()
    assert.deepEqual(
      [row?.start_at, row?.end_at].map(Number),
      ['2026-10-15T00:00', '2026-10-16T00:00'].map((wall) => toInstant('America/New_York', wall)),
    )
    assert.deepEqual(errors, [])
  })

  test('dragging books, the context menu adds time off, and keys change what the calendar shows', async (t) => {
    const { page, context, errors } = await enter('date=2026-10-14')
    t.after(() => context.close())
    const column = await boxOf(page.locator('[data-column="0"]'))
    const [x, y] = [column.x + column.width / 2, column.y + (await hourOffset(page, 13)) + 4]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + 40, { steps: 4 })
    await page.mouse.up()
    const dialog = page.getByRole('dialog', { name: 'New booking' })
    await waitForValue(() => dialog.getByRole('textbox', { name: /^Start \(/ }).inputValue(), '14/10/2026, 13:00')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await click(page, 0, 14, 'right')
    await page.getByRole('menuitem', { name: 'Time off from 14:00' }).click()
    const timeOff = page.getByRole('dialog', { name: 'Time off' })
    await waitForValue(() => timeOff.getByRole('textbox', { name: /^End \(/ }).inputValue(), '14/10/2026, 15:00')
    await timeOff.getByRole('button', { name: 'Cancel' }).click()
    await timeOff.waitFor({ state: 'hidden' })
    await page.locator('h1').focus()
    const height = () => boxOf(page.locator('[data-column="0"]')).then(({ height: pixels }) => Math.round(pixels))
    // 16 hours: from 8:00, an hour before the first opening, to midnight, an hour after the last closing at 23:00.
    await waitForValue(height, 16 * 66)
    await page.keyboard.press('h')
    await waitForValue(height, 24 * 66)
    await page.keyboard.press('h')
    await page.keyboard.press('+')
    await waitForValue(height, 16 * 96)
    await page.keyboard.press('0')
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('textbox', { name: 'Date' }).and(page.locator('[value="13/10/2026"]')).waitFor()
    await page.keyboard.press('w')
    await page.getByText(/^Mon, 12 Oct – Sun, 18 Oct 2026, times in/).waitFor()
    await page.keyboard.press('d')
    await page.keyboard.press('Shift+?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByText('Zoom in, zoom out, normal size').waitFor()
    await assertAccessibleWithoutHover(page, 'the keyboard shortcuts')
    // The calendar's keyboard shortcuts have no effect while a dialog is open.
    await page.keyboard.press('m')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    assert.doesNotMatch(page.url(), /month/)
    assert.deepEqual(errors, [])
  })

  test('prints a list of the day for each provider, and a week as a table', async (t) => {
    const { page, context, errors } = await enter('date=2026-10-06')
    t.after(() => context.close())
    await card(page, '11:00', 'Mia').waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.getByRole('heading', { level: 2, name: 'Ana' }).waitFor()
    await page.getByRole('row', { name: '11:00–11:30 Mia plain Confirmed' }).waitFor()
    await waitForValue(() => page.getByRole('navigation').first().isVisible(), false)
    await waitForValue(() => page.locator('[data-column]').first().isVisible(), false)
    await page.emulateMedia({ media: 'screen' })
    await page.locator('h1').focus()
    await page.keyboard.press('w')
    await page.getByRole('link', { name: 'Ana' }).first().waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.getByRole('columnheader', { name: 'Tue 6 Oct' }).waitFor()
    await page.getByRole('cell', { name: /11:00 Mia/ }).waitFor()
    await page.emulateMedia({ media: null })
    assert.deepEqual(errors, [])
  })
  test('arrow keys and the mouse move a reservation from the date on which it ends, relative to its start', async (t) => {
    const { page, context, errors } = await enter('date=2026-10-08')
    t.after(() => context.close())
    const night = page.locator('[data-card]').filter({ hasText: 'Kim' })
    await night.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('status').getByText('22:15–01:15, Ana, 2026-10-07').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('status').getByText('22:15–01:15').waitFor({ state: 'detached' })
    const { x, y, width } = await boxOf(night)
    await page.mouse.move(x + width / 2, y + 10)
    await page.mouse.down()
    await page.mouse.move(x + width / 2, y + 10 + 33, { steps: 4 })
    await page.getByText('22:30–01:30').waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    assert.deepEqual(errors, [])
  })
})
