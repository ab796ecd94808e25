import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, ben, cleo, dayLong, now } from '../support/clinic.ts'
import {
  assertAccessible,
  bookForJo,
  closeNotification,
  idOf,
  navigate,
  openPanel,
  type PanelPage,
  pressUndo,
  startPanelService,
  waitForAnimations,
} from '../support/panel.ts'
import { hostile, hostileId, openProvider, siteWithHostileProvider, slotsOf } from '../support/provider-hours.ts'
import type { ServiceProcess } from '../support/service.ts'
import { dayWindow } from '../support/test-site.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
// When the tests begin, it is 2026-10-04 in Cleo's zone, the day before the date at the site.
const site = {
  ...siteWithHostileProvider,
  providers: siteWithHostileProvider.providers.map((one) =>
    one.id === cleo ? { ...one, timezone: 'Pacific/Honolulu' } : one,
  ),
}

describe('hours of providers in the panel', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site, now }, ben))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const enter = (email: string, look: Parameters<typeof openPanel>[3] = {}): Promise<PanelPage> =>
    openPanel(browser, service, '/start', { ...look, as: email })

  test('by keyboard alone the week is typed, a day copied, and errors reported beside their fields', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await openProvider(page, hostileId, 'week')
    const field = (name: string) => page.getByRole('textbox', { name })
    await field('Monday, 1, from').fill('9')
    await field('Monday, 1, to').fill('nine')
    await page.keyboard.press('Enter')
    await page.getByText('Enter a time, for example 09:00.').waitFor()
    await field('Monday, 1, to').fill('930')
    await page.getByRole('button', { name: 'Add hours: Monday' }).press('Enter')
    await field('Monday, 2, from').fill('10pm')
    await field('Monday, 2, to').fill('2')
    await page.getByRole('button', { name: 'Copy Monday to…' }).press('Enter')
    // An opened menu takes the focus in a timer, also from the item that has it already.
    await page.getByRole('menu').locator(':focus').waitFor({ state: 'attached' })
    await page.getByRole('menuitem', { name: 'Every day' }).press('Enter')
    await waitForValue(() => field('Sunday, 2, from').inputValue(), '22:00')
    await field('Sunday, 2, to').press('Enter')
    await page.getByText('Weekly hours saved.').waitFor()
    // One slot in the morning and eight from 22:00 to 2:00: on this date four after midnight and four before the next
    // midnight.
    assert.equal(await slotsOf(service, hostileId, '2026-10-07'), 1 + 4 + 4)
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.locator('input[value="17:00"]').first().waitFor()
    assert.equal(await slotsOf(service, hostileId, '2026-10-07'), 16)
    assert.deepEqual(errors, [])
  })

  test('of two users who change different days of a week at once, neither takes back the other’s change', async (t) => {
    const [one, other] = [await enter('manager@clinic.example'), await enter('admin@clinic.example')]
    t.after(() => Promise.all([one.context.close(), other.context.close()]))
    const from = ({ page }: PanelPage, day: string) => page.getByRole('textbox', { name: `${day}, 1, from` })
    for (const { page } of [one, other]) await openProvider(page, hostileId, 'week')
    await from(one, 'Monday').fill('8')
    await from(other, 'Tuesday').fill('10')
    await from(other, 'Tuesday').press('Enter')
    await other.page.getByText('Weekly hours saved.').waitFor()
    await waitForValue(() => from(one, 'Tuesday').inputValue(), '10:00')
    await from(one, 'Monday').press('Enter')
    await one.page.getByText('Weekly hours saved.').waitFor()
    await waitForValue(() => from(other, 'Monday').inputValue(), '08:00')
    await waitForValue(() => from(other, 'Tuesday').inputValue(), '10:00')
    assert.deepEqual([...one.errors, ...other.errors], [])
  })

  test('hours are drawn, moved and resized with the mouse', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await openProvider(page, hostileId, 'week')
    const box = await page.getByTestId('week').boundingBox()
    assert.ok(box)
    // One pixel below the line of the hour, since the browser rounds the position of the pointer.
    const at = (day: number, hour: number): [number, number] => [
      box.x + (box.width / 7) * (day + 0.5),
      box.y + (box.height / 24) * hour + 1,
    ]
    const drag = async (from: [number, number], to: [number, number]): Promise<void> => {
      await page.mouse.move(...from)
      await page.mouse.down()
      await page.mouse.move(...to, { steps: 5 })
      await page.mouse.up()
    }
    const times = (day: string): Promise<string[]> =>
      page
        .getByRole('textbox', { name: new RegExp(`^${day}, `) })
        .evaluateAll((fields) => fields.map((one) => String(Object(one).value)))
    await drag(at(5, 8), at(5, 12))
    await waitForValue(() => times('Saturday'), ['08:00', '12:00'])
    await drag(at(5, 10), at(6, 12))
    await waitForValue(() => Promise.all([times('Saturday'), times('Sunday')]), [[], ['10:00', '14:00']])
    const [x, y] = at(6, 14)
    await drag([x, y - 3], [x, y - 3 + box.height / 24])
    await waitForValue(() => times('Sunday'), ['10:00', '15:00'])
    assert.deepEqual(errors, [])
  })

  test('a change that displaces reservations lists them before it is saved', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await bookForJo(service, { ...dayWindow('2026-10-08'), providers: ana })
    await openProvider(page, ana, 'week')
    await page.getByRole('button', { name: 'Remove hours: Thursday, 1' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('dialog', { name: '1 reservation conflicts with this change' })
    await question.getByText('Jo · plain').waitFor()
    await question.getByText('8 Oct 2026, 09:00').waitFor()
    await assertAccessible(page, 'what would be left')
    await question.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await slotsOf(service, ana, '2026-10-15'), 16)
    await question.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    const discard = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
    await discard.getByRole('button', { name: 'Cancel' }).click()
    await discard.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).click()
    await question.getByRole('button', { name: 'Save anyway' }).click()
    await page.getByText('Weekly hours saved.').waitFor()
    assert.equal(await slotsOf(service, ana, '2026-10-15'), 0)
    assert.deepEqual(errors, [])
  })

  test('a date gets other hours by arrow keys, then time off, and then its usual hours', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await openProvider(page, hostileId, 'dates')
    const day = (name: string) => page.getByRole('button', { name, exact: true })
    await page.locator('[data-date][tabindex="0"]').focus()
    const begun = await page.evaluate('document.activeElement.dataset.date')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowLeft')
    const reached = String(await page.evaluate('document.activeElement.dataset.date'))
    assert.equal(Date.parse(reached) - Date.parse(String(begun)), 6 * 86_400_000)
    await day('14 October 2026').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add override or time off' })
    await dialog.getByRole('textbox', { name: 'Other hours, 1, to' }).fill('10')
    await page.keyboard.press('Enter')
    await day('14 October 2026, Other hours').waitFor()
    assert.equal(await slotsOf(service, hostileId, '2026-10-14'), 2)
    await page.getByRole('button', { name: 'Add override or time off' }).click()
    await dialog.getByText('Time off', { exact: true }).click()
    await dialog.getByLabel('First day', { exact: true }).fill('2026-10-15')
    await dialog.getByLabel('Last day', { exact: true }).fill('2026-10-16')
    await dialog.getByLabel('Start (first day)').fill('12')
    await dialog.getByLabel('Note').fill(hostile)
    await page.keyboard.press('Enter')
    await day('16 October 2026, Time off').waitFor()
    assert.deepEqual(
      [await slotsOf(service, hostileId, '2026-10-15'), await slotsOf(service, hostileId, '2026-10-16')],
      [6, 0],
    )
    const list = page.getByRole('region', { name: 'Overrides and time off this year' })
    await list.getByText(hostile).first().waitFor()
    await page.getByRole('button', { name: /^Remove: .*15/ }).click()
    await day('16 October 2026').waitFor()
    assert.equal(await slotsOf(service, hostileId, '2026-10-16'), 16)
    await pressUndo(page, 'Time off removed.')
    await day('16 October 2026, Time off').waitFor()
    assert.deepEqual(errors, [])
  })

  test('a date gets slot properties, with errors beside their fields, and they are edited and undone', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example', { width: 360 })
    t.after(() => context.close())
    await openProvider(page, hostileId, 'dates')
    const plain = await idOf(service, '/services/get/', 'plain')
    const overrides = async (): Promise<unknown> => {
      const query = { ...dayWindow('2026-10-21'), providers: hostileId, services: plain }
      return (await service.call('GET', '/availability/get/', { query })).body.response[0]?.overrides
    }
    const day = (name: string) => page.getByRole('button', { name, exact: true })
    await day('21 October 2026').press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add override or time off' })
    const save = () => page.getByRole('dialog').last().getByRole('button', { name: 'Save' }).press('Enter')
    await dialog.getByText('Price or place', { exact: true }).first().click()
    await save()
    await dialog.getByText('Change at least one detail.').waitFor()
    await assertAccessible(page, 'properties of slots')
    await dialog.getByRole('combobox', { name: 'Currency' }).fill('chf')
    await page.getByRole('option', { name: 'Swiss Franc (CHF)' }).click()
    const price = dialog.getByRole('textbox', { name: 'Price', exact: true })
    await price.fill('99999999999999')
    await save()
    await dialog.getByText('Must be a whole number from 0 up.').waitFor()
    await waitForValue(() => price.getAttribute('aria-invalid'), 'true')
    await price.fill('12.5')
    await dialog.getByLabel('Seats').fill('2')
    await dialog.getByLabel('Place', { exact: true }).fill(hostile)
    await save()
    await day('21 October 2026, Price or place').waitFor()
    await closeNotification(page, 'Override saved.')
    const kept = { price: 1250, currency: 'CHF', capacity: 2, location: hostile }
    assert.deepEqual(await overrides(), kept)
    await day('21 October 2026, Price or place').press('Enter')
    const again = page.getByRole('dialog', { name: 'Edit override' })
    await waitForValue(() => again.getByRole('textbox', { name: 'Price', exact: true }).inputValue(), '12.5 CHF')
    await again.getByRole('textbox', { name: 'Price', exact: true }).fill('')
    await again.getByText('Other hours', { exact: true }).click()
    await again.getByRole('textbox', { name: 'Other hours, 1, to' }).fill('10')
    await save()
    await day('21 October 2026, Other hours').waitFor()
    const { price: _, ...rest } = kept
    assert.deepEqual(await overrides(), rest)
    assert.equal(await slotsOf(service, hostileId, '2026-10-21'), 2)
    await pressUndo(page, 'Override saved.')
    await day('21 October 2026, Price or place').waitFor()
    assert.deepEqual(await overrides(), kept)
    assert.deepEqual(errors, [])
  })
  test('today is the date in the zone of the provider, whatever the clock of the device says', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example', { alone: true })
    t.after(() => context.close())
    await page.clock.setSystemTime((now + 366 * dayLong) * 1000)
    await openProvider(page, cleo, 'dates')
    await page.getByRole('dialog').getByRole('heading', { name: '2026', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add override or time off' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add override or time off' })
    const first = dialog.getByLabel('First day', { exact: true })
    await waitForValue(() => first.inputValue(), '04/10/2026')
    await first.fill('tomorrow')
    await first.press('Tab')
    await waitForValue(() => first.inputValue(), '05/10/2026')
    assert.deepEqual(errors, [])
  })

  test('a date without hours is refused with an error, although no field shows it', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await openProvider(page, hostileId, 'dates')
    await page.getByRole('button', { name: '28 October 2026', exact: true }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add override or time off' })
    await dialog.getByRole('button', { name: 'Remove hours: Other hours, 1' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('Add hours, or choose Closed.').waitFor()
    await dialog.getByRole('button', { name: 'Add hours: Other hours' }).click()
    await dialog.getByRole('alert').waitFor({ state: 'detached' })
    assert.deepEqual(errors, [])
  })

  for (const width of [1280, 360])
    test(`the German dialog of a date cuts neither the kinds nor the dates, ${width} pixels wide`, async (t) => {
      const { page, context, errors } = await enter('manager@clinic.example', { width, locale: 'de-DE' })
      t.after(() => context.close())
      await openProvider(page, hostileId, 'dates')
      await page.getByRole('button', { name: '4. November 2026', exact: true }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Ausnahme oder Abwesenheit hinzufügen' })
      await dialog.getByText('Preis oder Ort an diesen Tagen ändern').waitFor()
      await waitForAnimations(page)
      const cut = await dialog.locator('input[type=text], button, [role=radiogroup]').evaluateAll((elements) =>
        elements
          .map((element) => Object(element))
          .filter((element) => {
            const { right } = element.getBoundingClientRect()
            const { right: end } = element.closest('form')?.getBoundingClientRect() ?? { right }
            return element.scrollWidth > element.clientWidth || right > end
          })
          .map(({ outerHTML }) => outerHTML),
      )
      assert.deepEqual(cut, [])
      assert.deepEqual(errors, [])
    })

  test('beside the list of settings, the hours of new providers do not lie over their bars', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await navigate(page, '/settings/site')
    const grid = await page.getByTestId('week').boundingBox()
    const copy = await page.getByRole('button', { name: 'Copy Monday to…' }).boundingBox()
    assert.ok(
      grid && copy && copy.x + copy.width < grid.x,
      `${JSON.stringify(copy)} lies over ${JSON.stringify(grid)}.`,
    )
    assert.equal(await page.getByText('Draw to add hours').isVisible(), true)
    await page.setViewportSize({ width: 360, height: 760 })
    await waitForValue(() => page.getByText('Draw to add hours').isVisible(), false)
    assert.deepEqual(errors, [])
  })
})
