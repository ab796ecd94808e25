import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { assertAccessibleWithoutHover, boxOf, card, click, hourOffset } from '../support/calendar-page.ts'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, ben, now, standardSite } from '../support/clinic.ts'
import {
  idOf,
  navigate,
  openPanel,
  type PanelPage,
  password,
  pressUndo,
  runCommand,
  startPanelService,
} from '../support/panel.ts'
import { timeLimitFactor } from '../support/scale.ts'
import type { ServiceProcess } from '../support/service.ts'
import { at } from '../support/test-site.ts'
import { openTouchscreen } from '../support/touchscreen.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
const hostile = `"><img src=x onerror="document.title='gone'"><script>alert(1)</script>{{name}} \u202Eright`
const booked = (customer: string, start: string, more: object = {}) => ({
  key: `${customer} ${start}`,
  customer,
  start: `2026-10-${start}`,
  service: 'plain',
  provider: ana,
  status: 'confirmed',
  ...more,
})
const site = {
  ...standardSite,
  services: [
    ...standardSite.services,
    { key: 'many', name: 'many', durationMinutes: 60, capacity: 8 },
    { key: 'hostile', name: hostile, color: 'rebeccapurple', durationMinutes: 60, intervalMinutes: 15 },
  ],
  customers: [...standardSite.customers, { key: 'evil', name: hostile, email: 'evil@example.com' }],
  reservations: [
    booked('evil', '06T09:00', { service: 'hostile' }),
    booked('Mia', '06T11:00'),
    booked('Kim', '06T11:00', { provider: ben, service: 'approved', status: 'pending' }),
    booked('Max', '06T12:00', { provider: ben, status: 'cancelled' }),
    ...['Jo', 'Mia', 'Max'].map((name) => booked(name, '06T14:00', { service: 'group' })),
    ...['Jo', 'Mia', 'Max', 'Kim', 'evil'].map((name) => booked(name, '06T15:00', { service: 'many' })),
    booked('Jo', '07T10:00'),
    booked('Kim', '07T12:00'),
    booked('Jo', '08T10:00'),
    booked('Mia', '08T10:00', { provider: ben }),
    booked('Jo', '09T10:00'),
    booked('Max', '12T10:00'),
    booked('Kim', '13T10:00'),
  ],
}

describe('the calendar of the panel', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site, now }, ana))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const enter = async (
    query: string,
    who = 'manager',
    look: Parameters<typeof openPanel>[3] = {},
  ): Promise<PanelPage> => {
    const panel = await openPanel(browser, service, `/calendar?${query}`, { ...look, as: `${who}@clinic.example` })
    await panel.page.locator('[data-column]').first().waitFor()
    return panel
  }
  /** Returns a customer's reservations on a date, each as UTC start and provider id, such as `2026-10-07T09:00 2`. */
  const keptAt = async (customer: string, day: string): Promise<readonly string[]> => {
    const id = await idOf(service, '/customers/get/', customer)
    const { body } = await service.call('GET', '/reservations/get/', { query: { customers: id } })
    return body.response
      .map(({ start, providerId }) => `${new Date(Number(start) * 1000).toISOString().slice(0, 16)} ${providerId}`)
      .filter((text) => text.startsWith(day))
  }

  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const)
    test(`is accessible, ${width} pixels wide, ${colorScheme}, with any names`, async (t) => {
      const { page, context, errors } = await enter('date=2026-10-06&cancelled=1', 'manager', { width, colorScheme })
      t.after(() => context.close())
      await card(page, '09:00', hostile).waitFor()
      await card(page, '12:00', 'Max').waitFor()
      // The four elements with `data-card` are the reservations of slots with one seat; a slot with several seats is a
      // button without `data-card`.
      await waitForValue(() => page.locator('[data-card]').count(), 4)
      await page.getByRole('button', { name: '14:00 3 of 3 group Jo, Mia, Max' }).waitFor()
      await page.getByRole('button', { name: /^15:00 5 of 8 many Jo, Mia, Max, Kim/ }).click()
      await page.getByRole('menuitem', { name: 'Add participant' }).waitFor()
      await page.getByRole('menuitem', { name: 'Kim' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('menuitem', { name: 'Kim' }).waitFor({ state: 'hidden' })
      await page.getByText('in America/New_York').waitFor()
      await assertAccessibleWithoutHover(page, 'a day')
      await card(page, '09:00', hostile).click()
      await page.getByRole('dialog').getByText(hostile).first().waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
      const move = page.getByRole('dialog', { name: `Move the booking of ${hostile}` })
      await move.getByRole('textbox', { name: /^Start \(/ }).fill('2026-10-06T11:00')
      await move.getByText('Already booked', { exact: true }).waitFor()
      await assertAccessibleWithoutHover(page, 'moving by fields')
      await move.getByRole('combobox', { name: 'Provider' }).click()
      await page.getByRole('option', { name: 'Any provider' }).click()
      await move.getByRole('radio').first().press('Space')
      await move.getByText(/^With /).waitFor()
      await assertAccessibleWithoutHover(page, 'moving to any provider')
      await page.keyboard.press('Escape')
      const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
      await question.getByRole('button', { name: 'Discard changes' }).click()
      await move.waitFor({ state: 'hidden' })
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').first().waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Time off' }).first().click()
      // When the form opens without a provider, the field for the provider has the focus, and its list is open.
      await page.getByRole('option', { name: 'Ana', exact: true }).click()
      await page.keyboard.press('Tab')
      await page.getByLabel('Note').waitFor()
      await assertAccessibleWithoutHover(page, 'time off')
      await page.keyboard.press('Escape')
      await page.goto(`${service.url}/admin/calendar?date=2026-10-06&view=week&providers=1,2`)
      await card(page, '09:00', hostile).waitFor()
      await assertAccessibleWithoutHover(page, 'a week')
      await page.getByText('Month', { exact: true }).click()
      await page.getByRole('link', { name: /6 October 2026 11 booked 1 Pending$/ }).waitFor()
      await waitForValue(() => page.getByRole('button', { name: /^11:00 Mia/ }).isVisible(), width > 360)
      await assertAccessibleWithoutHover(page, 'a month')
      assert.match(await page.title(), /^Calendar/)
      assert.deepEqual(errors, [])
    })

  test('a move or booking by one user is visible to another within two seconds', async (t) => {
    const [mine, theirs] = await Promise.all([enter('date=2026-10-07'), enter('date=2026-10-07', 'admin')])
    t.after(() => Promise.all([mine.context.close(), theirs.context.close()]))
    const jo = card(mine.page, '10:00', 'Jo')
    await Promise.all([jo.waitFor(), card(theirs.page, '10:00', 'Jo').waitFor()])
    // The card is dragged one hour down and one column to the right, to Ben.
    await drag(mine.page, jo, { down: 66, across: await widthOf(mine.page) })
    const seen = sees(theirs.page, /^11:00 Jo.* until 11:30, Ben, Confirmed$/)
    // A notification with the pointer on it stays; otherwise it closes after 12 seconds, too early for a busy machine.
    await mine.page.getByText(/^Jo moved to 7 Oct 2026, 11:00\.$/).hover()
    assert.ok((await seen) < 2_000 * timeLimitFactor)
    assert.deepEqual(await keptAt('Jo', '2026-10-07'), [`2026-10-07T09:00 ${ben}`])
    const start = at('2026-10-07T15:00')
    const { body } = await service.call('GET', '/availability/get/', {
      query: { min_timestamp: start, max_timestamp: start + 1, providers: ben },
    })
    const slot = body.response.find(({ routingMode, end }) => routingMode === 'direct' && Number(end) === start + 1_800)
    const customerId = await idOf(service, '/customers/get/', 'Max')
    const response = await service.call('POST', '/reservations/add/', { body: { ...slot, customerId } })
    assert.equal(response.status, 200, response.text)
    const both = [mine.page, theirs.page].map((page) => sees(page, /^15:00 Max.* until 15:30, Ben, Confirmed$/))
    for (const waited of await Promise.all(both)) assert.ok(waited < 2_000 * timeLimitFactor)
    await mine.page.getByRole('button', { name: 'Undo' }).click()
    await mine.page.getByText('Jo moved back.').waitFor()
    assert.deepEqual(await keptAt('Jo', '2026-10-07'), [`2026-10-07T08:00 ${ana}`])
    assert.deepEqual([...mine.errors, ...theirs.errors], [])
  })

  test('by keyboard alone a reservation is moved and resized against a rule, and the reason is stored', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/')
    t.after(() => context.close())
    await page.getByLabel('E-mail').fill('manager@clinic.example')
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await runCommand(page, 'Calendar')
    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor()
    await page.getByRole('textbox', { name: 'Date' }).fill('2026-10-09')
    await page.keyboard.press('Enter')
    await card(page, '10:00', 'Jo').focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    await page.getByRole('status').getByText('10:45–11:15, Ana').waitFor()
    await page.getByText('Not a start time for this service').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByText('Available').first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Jo moved to 9 Oct 2026, 11:00.').waitFor()
    assert.deepEqual(await keptAt('Jo', '2026-10-09'), [`2026-10-09T09:00 ${ana}`])
    await card(page, '11:00', 'Jo').focus()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Enter')
    const stays = page.getByRole('dialog', { name: 'Couldn’t move this booking' })
    await stays.getByText('An appointment of this service takes 30 minutes here.').waitFor()
    await stays.getByRole('button', { name: 'Move anyway' }).press('Enter')
    await stays.getByText('Enter a reason.').waitFor()
    await stays.getByLabel('Reason for booking anyway').focus()
    await page.keyboard.type('Needs more time')
    await stays.getByRole('button', { name: 'Move anyway' }).press('Enter')
    const longer = card(page, '11:00', 'Jo', 'until 11:45')
    await longer.waitFor()
    await longer.press('Enter')
    await page.getByText('Booked anyway (Outside opening hours): Needs more time').waitFor()
    assert.deepEqual(errors, [])
  })

  test('without room a reservation stays, and no reason is requested', async (t) => {
    const { page, context, errors } = await enter('date=2026-10-08')
    t.after(() => context.close())
    await drag(page, card(page, '10:00', 'Jo'), { down: 0, across: await widthOf(page) })
    const stays = page.getByRole('dialog', { name: 'Couldn’t move this booking' })
    await stays.getByText('All seats of this slot are taken.').waitFor()
    await waitForValue(() => stays.getByRole('button', { name: 'Move anyway' }).count(), 0)
    await page.keyboard.press('Escape')
    await stays.waitFor({ state: 'hidden' })
    await card(page, '10:00', 'Jo', 'until 10:30, Ana').waitFor()
    assert.deepEqual(await keptAt('Jo', '2026-10-08'), [`2026-10-08T08:00 ${ana}`])
    assert.deepEqual(errors, [])
  })

  test('a click on free time books it, also for a new customer and against the hours with a reason', async (t) => {
    const { page, context, errors } = await enter('date=2026-10-12')
    t.after(() => context.close())
    await card(page, '10:00', 'Max').waitFor()
    // The click is at 13:30 in the column of Ana.
    await click(page, 0, 13.5)
    const dialog = page.getByRole('dialog', { name: 'New booking' })
    await waitForValue(() => dialog.getByRole('textbox', { name: /^Start \(/ }).inputValue(), '12/10/2026, 13:30')
    await choose(page, dialog, 'Service', 'plain')
    await dialog.getByText('Available until 14:00.').waitFor()
    await dialog.getByRole('button', { name: 'Book' }).click()
    await dialog.getByText('Choose a customer.').waitFor()
    await dialog.getByRole('combobox', { name: 'Customer' }).fill('mia@ex')
    await page.getByRole('option', { name: /^Mia/ }).click()
    await dialog.getByRole('button', { name: 'Book' }).click()
    await card(page, '13:30', 'Mia', 'until 14:00, Ana, Confirmed').waitFor()
    await page.getByRole('button', { name: 'New booking' }).click()
    await dialog.getByRole('textbox', { name: /^Start \(/ }).fill('2026-10-12T17:15')
    await choose(page, dialog, 'Provider', 'Ana')
    await choose(page, dialog, 'Service', 'plain')
    await dialog.getByText('The time is outside opening hours.').waitFor()
    await dialog.getByRole('button', { name: 'New customer' }).click()
    await dialog.getByLabel('Name').fill('Zoë')
    await dialog.getByLabel('E-mail').fill('zoe')
    await dialog.getByLabel('Reason for booking anyway').fill('She comes from work')
    await dialog.getByRole('button', { name: 'Book anyway' }).click()
    await dialog.getByText('Must be an e-mail address').waitFor()
    await dialog.getByLabel('E-mail').fill('zoe@example.com')
    await dialog.getByRole('button', { name: 'Book anyway' }).click()
    await card(page, '17:15', 'Zoë', 'until 17:45, Ana, Confirmed').waitFor()
    assert.deepEqual(errors, [])
  })

  test('in its mode dragging over free time adds time off, with a list of affected reservations, and undo removes it', async (t) => {
    const { page, context, errors } = await enter('date=2026-10-12')
    t.after(() => context.close())
    await card(page, '10:00', 'Max').waitFor()
    const free = async (): Promise<number> => {
      const query = { min_timestamp: at('2026-10-12T09:00'), max_timestamp: at('2026-10-12T12:00'), providers: ana }
      const { body } = await service.call('GET', '/availability/get/', { query })
      return body.response.filter(({ start }) => Number(start) < at('2026-10-12T10:00')).length
    }
    const before = await free()
    await page.getByRole('button', { name: 'View options' }).click()
    await page.getByRole('menuitemradio', { name: 'Add time off' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    const column = await boxOf(page.locator('[data-column="0"]'))
    const [x, y] = [column.x + column.width - 8, column.y + (await hourOffset(page, 9)) + 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + 40, { steps: 3 })
    await page.mouse.move(x, y + 72, { steps: 3 })
    await page.getByText('09:00–10:15').waitFor()
    await page.mouse.up()
    const dialog = page.getByRole('dialog', { name: 'Time off' })
    await dialog.getByText('There is one reservation in this time').waitFor()
    await dialog.getByText(/10:00 · Max · plain$/).waitFor()
    await dialog.getByLabel('Note').fill('Dentist')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/^There is one reservation in this time\. Move or cancel/).waitFor()
    await dialog.getByRole('textbox', { name: /^End \(/ }).fill('2026-10-12T10:00')
    await dialog.getByText('There is one reservation in this time', { exact: true }).waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    const off = page.getByRole('button', { name: 'Dentist' })
    await off.waitFor()
    assert.equal(await free(), 0)
    await off.click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await off.waitFor({ state: 'detached' })
    assert.equal(await free(), before)
    await pressUndo(page, 'Time off removed.')
    await off.waitFor()
    assert.deepEqual(errors, [])
  })

  test('a touch scrolls, and drags after a long press; a touch that the browser takes over has no effect', async (t) => {
    const { page, context, errors } = await enter('date=2026-10-13&providers=1', 'manager', {
      width: 360,
      hasTouch: true,
    })
    t.after(() => context.close())
    const kim = card(page, '10:00', 'Kim')
    await kim.waitFor()
    // With the closed hours the day is long enough to scroll.
    await page.getByRole('button', { name: 'Show closed hours' }).tap()
    const finger = await openTouchscreen(page)
    const grid = 'document.querySelector("[data-column]").parentElement.parentElement'
    const scrolled = () => page.evaluate(`${grid}.scrollTop`)
    const held = (stretch: string) => page.getByText(stretch, { exact: true })
    const place = async () => {
      const { x, y } = await boxOf(kim)
      return { x: x + 20, y: y + 12 }
    }

    const still = await scrolled()
    const begin = await place()
    await finger.down(begin)
    await held('10:00–10:30').waitFor()
    for (const down of [20, 45, 66]) await finger.to({ x: begin.x, y: begin.y + down })
    await held('11:00–11:30').waitFor()
    assert.equal(await scrolled(), still)
    await finger.cancel()
    await held('11:00–11:30').waitFor({ state: 'detached' })
    assert.deepEqual(await keptAt('Kim', '2026-10-13'), [`2026-10-13T08:00 ${ana}`])

    await finger.down(await place())
    await held('10:00–10:30').waitFor()
    for (const down of [20, 45, 66]) await finger.to({ x: begin.x, y: begin.y + down })
    await held('11:00–11:30').waitFor()
    await finger.up()
    await page.getByText('Kim moved to 13 Oct 2026, 11:00.').waitFor()
    await card(page, '11:00', 'Kim').waitFor()
    assert.deepEqual(await keptAt('Kim', '2026-10-13'), [`2026-10-13T09:00 ${ana}`])
    // Dropping a card must not open its reservation.
    await waitForValue(() => page.getByRole('dialog').count(), 0)
    const moved = await boxOf(card(page, '11:00', 'Kim'))
    const from = { x: moved.x + 20, y: moved.y + 12 }
    await finger.swipe(
      from,
      [15, 30, 45, 60, 75, 90].map((up) => ({ x: from.x, y: from.y - up })),
    )
    await page.evaluate(`new Promise((seen) => {
      const look = () => (${grid}.scrollTop > ${Number(still)} ? seen() : requestAnimationFrame(look))
      look()
    })`)
    await waitForValue(() => held('11:00–11:30').count(), 0)
    await finger.up()
    await card(page, '11:00', 'Kim').tap()
    await page.getByRole('dialog').getByText('Confirmed').first().waitFor()
    assert.deepEqual(await keptAt('Kim', '2026-10-13'), [`2026-10-13T09:00 ${ana}`])
    assert.deepEqual(errors, [])
  })

  test('the role provider has their own calendar only, and cannot override rules', async (t) => {
    const { page, context, errors } = await enter('date=2026-10-08&providers=2', 'provider')
    t.after(() => context.close())
    await card(page, '10:00', 'Jo').waitFor()
    await waitForValue(() => page.locator('[data-column]').count(), 1)
    await waitForValue(() => page.locator('[data-card]').count(), 1)
    await waitForValue(() => page.getByRole('textbox', { name: 'Providers' }).count(), 0)
    await drag(page, card(page, '10:00', 'Jo'), { down: 16.5, across: 0 })
    const stays = page.getByRole('dialog', { name: 'Couldn’t move this booking' })
    await stays.getByText('Appointments start every 30 minutes').waitFor()
    await waitForValue(() => stays.getByRole('button', { name: 'Move anyway' }).count(), 0)
    await page.keyboard.press('Escape')
    await stays.waitFor({ state: 'hidden' })
    await navigate(page, '/reservations')
    assert.deepEqual(errors, [])
  })
})

/** Returns the milliseconds until a reservation with this accessible name is on screen. */
async function sees(page: Page, said: string | RegExp): Promise<number> {
  const since = performance.now()
  await page.getByRole('button', { name: said }).waitFor()
  return performance.now() - since
}

/** Drags a card by a distance in pixels; the pointer grabs the card near its top. */
async function drag(page: Page, what: Locator, to: { readonly down: number; readonly across: number }): Promise<void> {
  const { x, y } = await boxOf(what)
  await page.mouse.move(x + 20, y + 6)
  await page.mouse.down()
  await page.mouse.move(x + 24, y + 20, { steps: 3 })
  await page.mouse.move(x + 20 + to.across, y + 6 + to.down, { steps: 5 })
  await page.mouse.up()
}

async function widthOf(page: Page): Promise<number> {
  return (await boxOf(page.locator('[data-column="0"]'))).width
}

async function choose(page: Page, dialog: Locator, field: string, option: string): Promise<void> {
  await dialog.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
