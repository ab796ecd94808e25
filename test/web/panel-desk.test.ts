import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, ben, now, standardSite } from '../support/clinic.ts'
import {
  assertAccessible,
  navigate,
  nextDownload,
  openPanel,
  password,
  pressUndo,
  runCommand,
  startPanelService,
} from '../support/panel.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
const evil = `<img src=x onerror="document.title='gone'">"'=1+1{{name}}`
const booked = (key: string, customer: string, start: string, more: object) => ({
  key,
  customer,
  start: `2026-10-${start}`,
  service: 'plain',
  provider: ana,
  status: 'confirmed',
  ...more,
})
const site = {
  ...standardSite,
  customers: [
    ...standardSite.customers,
    { key: 'evil', name: evil, email: 'evil@example.com', phone: '+49 30 1' },
    { key: 'late', name: 'Una', email: 'una@example.com' },
  ],
  reservations: [
    booked('one', 'Jo', '06T09:00', { service: 'approved', status: 'pending' }),
    // A pending reservation of the service `hopeful` takes no seat, so the reservation of Kim could take the same time.
    booked('two', 'Mia', '06T10:00', { service: 'hopeful', status: 'pending', provider: ben }),
    booked('six', 'Kim', '06T10:00', { provider: ben }),
    booked('three', 'Max', '06T11:00', { service: 'own', data: { note: evil } }),
    booked('four', 'evil', '05T15:00', { provider: ben }),
    booked('five', 'Kim', '06T12:00', { status: 'cancelled' }),
    // The reservation is outside the opening hours.
    booked('seven', 'late', '06T19:00', { status: 'cancelled' }),
  ],
}

describe('the front desk', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site, now }, ana))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const statusOf = async (page: Page, name: string): Promise<string> =>
    page
      .getByRole('row')
      .filter({ hasText: name })
      .getByText(/^(Pending|Confirmed|Cancelled)$/)
      .innerText()

  for (const [width, colorScheme] of [
    [1280, 'dark'],
    [360, 'light'],
  ] as const)
    test(`is accessible, ${width} pixels wide, ${colorScheme}, with any customer names`, async (t) => {
      const { page, context, errors } = await openPanel(browser, service, '/start', {
        as: 'manager@clinic.example',
        width,
        colorScheme,
      })
      t.after(() => context.close())
      await navigate(page, '/today')
      await page.getByText(evil).first().waitFor()
      await page.getByText('Show as table').click()
      await assertAccessible(page, 'today')
      await page.mouse.move(0, 0)
      await navigate(page, '/reservations')
      await assertAccessible(page, 'reservations')
      await page.getByRole('button', { name: 'Max' }).click()
      await page.getByRole('dialog').getByText(evil).waitFor()
      await page.getByRole('dialog').getByText('€50.00').waitFor()
      await assertAccessible(page, 'one reservation')
      assert.match(await page.title(), /^Reservations/)
      assert.deepEqual(errors, [])
    })

  test('a reservation is found, confirmed and reverted by keyboard alone', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/')
    t.after(() => context.close())
    await page.getByLabel('E-mail').fill('manager@clinic.example')
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await runCommand(page, 'Reservations')
    await page.getByRole('heading', { level: 1, name: 'Reservations' }).waitFor()
    await page.getByLabel('Search this list').focus()
    await page.keyboard.type('jo@ex')
    await page.getByRole('row').filter({ hasText: 'Mia' }).waitFor({ state: 'detached' })
    await waitForValue(async () => page.url(), /search=jo%40ex/)
    await page.getByRole('button', { name: 'Jo' }).press('Enter')
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Confirm' }).press('Enter')
    await drawer.getByText('Confirmed').first().waitFor()
    await page.getByText('Reservation confirmed.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.getByText('Undone.').waitFor()
    await drawer.getByText('Pending again').waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await waitForValue(() => statusOf(page, 'Jo'), 'Pending')
    assert.deepEqual(errors, [])
  })

  for (const path of ['/customers', '/reservations'])
    test(`the search field of ${path} follows the URL, and typing is not disturbed`, async (t) => {
      const { page, context, errors } = await openPanel(browser, service, path, { as: 'manager@clinic.example' })
      t.after(() => context.close())
      const field = page.getByLabel('Search this list')
      const search = async (text: string) => {
        await field.fill('')
        // Between two keys, the field sets the query parameter, because the pause is longer than the field's delay.
        await field.pressSequentially(text, { delay: 300 })
        await waitForValue(async () => new URL(page.url()).searchParams.get('search'), text)
        assert.equal(await field.inputValue(), text)
      }
      await search('Jo')
      await page.getByRole('button', { name: 'Jo', exact: true }).press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await search('Max')
      await page.goBack()
      await page.getByRole('dialog').waitFor()
      await page.goBack()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Jo', exact: true }).waitFor()
      await waitForValue(() => field.inputValue(), 'Jo')
      await page.goForward()
      await page.goForward()
      await page.getByRole('button', { name: 'Max', exact: true }).waitFor()
      await waitForValue(() => field.inputValue(), 'Max')
      assert.deepEqual(errors, [])
    })

  test('several are confirmed at once, each with its verdict, and the URL keeps the filter', async (t) => {
    const { page, context } = await openPanel(browser, service, '/reservations?status=pending', {
      as: 'admin@clinic.example',
    })
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Jo' }).waitFor()
    await waitForValue(() => page.getByRole('button', { name: 'Max' }).count(), 0)
    await page.getByLabel('Select all on this page').check()
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText('Reservation confirmed.').waitFor()
    const said = page.getByRole('alert', { name: 'Couldn’t change this booking' })
    await waitForValue(() => said.innerText(), /Mia, .*10:00/)
    await page.getByRole('button', { name: 'Jo' }).waitFor({ state: 'detached' })
    await waitForValue(() => statusOf(page, 'Mia'), 'Pending')
  })

  test('several stay selected when their cancellation is given up', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/reservations?status=confirmed', {
      as: 'admin@clinic.example',
    })
    t.after(() => context.close())
    for (const name of ['Kim', 'Max'])
      await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check()
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Cancel reservation', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Cancel 2 reservations?' })
    await question.getByRole('button', { name: 'Keep', exact: true }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByText('2 selected').waitFor()
    const isTicked = (name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').isChecked()
    assert.deepEqual([await isTicked('Kim'), await isTicked('Max')], [true, true])
    assert.deepEqual(errors, [])
  })

  test('a restoration that a rule forbids succeeds with a reason, and undoing a cancellation needs none', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/reservations?search=una', {
      as: 'manager@clinic.example',
      width: 360,
    })
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Una' }).press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Una' })
    await drawer.getByRole('button', { name: 'Restore' }).press('Enter')
    await drawer.getByText('Couldn’t restore this booking').waitFor()
    await drawer.getByRole('button', { name: 'Restore anyway' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Couldn’t restore this booking' })
    await dialog.getByText('Outside opening hours', { exact: true }).waitFor()
    await assertAccessible(page, 'bringing back anyway')
    await dialog.getByRole('button', { name: 'Restore anyway' }).press('Enter')
    await dialog.getByText('Enter a reason.').waitFor()
    await dialog.getByLabel('Reason for booking anyway').fill(`She comes from far away ${evil}`)
    await dialog.getByRole('button', { name: 'Restore anyway' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await drawer.getByText('Confirmed').first().waitFor()
    await drawer.getByText('Booked anyway (Outside opening hours): She comes from far away').waitFor()
    await drawer.getByRole('button', { name: 'Cancel reservation' }).press('Enter')
    const question = page.getByRole('dialog', { name: 'Cancel this reservation?' })
    await assertAccessible(page, 'the reason of a cancellation')
    await question.getByLabel('Reason').fill(evil)
    await question.getByRole('button', { name: 'Cancel reservation' }).press('Enter')
    await drawer.getByText(evil).first().waitFor()
    await pressUndo(page, 'Reservation cancelled.')
    await page.getByText('Undone.').waitFor()
    await drawer.getByText('Booked anyway (Outside opening hours): Undone').waitFor()
    assert.deepEqual(errors, [])
  })

  test('a visit is marked from today and from the reservation, and a note is kept', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/today', { as: 'manager@clinic.example' })
    t.after(() => context.close())
    await page.getByRole('button', { name: `Check in: ${evil}` }).click()
    await page.getByText('Marked as arrived.').waitFor()
    await page.getByRole('button', { name: `Start: ${evil}` }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: `Check in: ${evil}` }).waitFor()
    await page.getByRole('link', { name: evil }).click()
    const drawer = page.getByRole('dialog')
    await waitForValue(async () => page.url(), /\/today\?open=/)
    await drawer.getByRole('button', { name: 'Mark as no-show' }).click()
    await drawer.getByRole('button', { name: 'No-show', pressed: true }).waitFor()
    await drawer.getByRole('button', { name: 'Add a note' }).click()
    await drawer.getByLabel('Note').fill(`Was ill ${evil}`)
    await assertAccessible(page, 'a note in the making')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.getByText(`Was ill ${evil}`).waitFor()
    await assertAccessible(page, 'attendance and note')
    assert.deepEqual(errors, [])
  })

  test('today lists pending requests, also one that has begun, and declines them in place', async (t) => {
    const sql = openSql(service)
    await sql("update reservation set start_at = ? where status = 'pending'", [now - 600])
    await sql.close()
    const { page, context, errors } = await openPanel(browser, service, '/today', { as: 'manager@clinic.example' })
    t.after(() => context.close())
    await page
      .getByRole('button', { name: /^Decline/ })
      .first()
      .click()
    const asked = page.getByRole('dialog', { name: 'Decline this request?' })
    await asked.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('Request declined.').waitFor()
    await page.getByText('No requests to approve.').waitFor()
    assert.deepEqual(errors, [])
  })

  test('a reservation in conflict is counted, marked and listed on today, and is kept there', async (t) => {
    const look = { as: 'manager@clinic.example', width: 360, colorScheme: 'dark' } as const
    const { page, context, errors } = await openPanel(browser, service, '/today', look)
    t.after(() => context.close())
    await page.getByText('Key figures').waitFor()
    const sql = openSql(service)
    const [row] = await sql(
      `select reservation.id, provider_id, start_at, end_at, customer.name from reservation
       join customer on customer.id = customer_id
       where reservation.status = 'confirmed' and start_at > ? order by start_at limit 1`,
      [now],
    )
    await sql('insert into busy (id, provider_id, source, start_at, end_at, note) values (?, ?, ?, ?, ?, ?)', [
      ...['off_conflict', Number(row?.provider_id), 'time_off', Number(row?.start_at), Number(row?.end_at), ''],
    ])
    await sql.close()
    await page.reload()
    await page.getByRole('heading', { name: /^Conflicts \(\d+\)/ }).waitFor()
    await page
      .getByText(/^\d+ conflicts?$/)
      .last()
      .waitFor()
    await assertAccessible(page, 'conflicts on today')
    const date = new Date(Number(row?.start_at) * 1000).toISOString().slice(0, 10)
    await navigate(page, `/calendar?view=day&date=${date}`)
    await page.locator(`[data-card="${row?.id}"][data-conflict]`).waitFor()
    await navigate(page, '/today')
    const keep = page.getByRole('button', { name: `Keep: ${row?.name}` })
    await keep.click()
    await page.getByText('Kept as booked.').waitFor()
    await keep.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await keep.waitFor()
    assert.deepEqual(errors, [])
  })

  test('a provider sees and downloads their own reservations only', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/reservations?when=all', {
      as: 'provider@clinic.example',
    })
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Max' }).waitFor()
    await waitForValue(() => page.getByText(evil).count(), 0)
    const download = nextDownload(page)
    await page.getByRole('link', { name: 'Download as CSV' }).click()
    const table = (await download).toString()
    assert.match(table, /,Max,max@example.com,/)
    assert.doesNotMatch(table, /evil|,Ben,/)
    await navigate(page, '/today')
    await page.getByRole('heading', { level: 2, name: /^Requests to approve/ }).waitFor()
    await waitForValue(() => page.getByText('Needs attention').count(), 0)
    assert.deepEqual(errors, [])
  })

  test('of several refused changes, the others stay listed when one of them is repeated', async (t) => {
    const double = (key: string, customer: string, more: object) =>
      booked(key, customer, '07T10:00', { service: 'hopeful', status: 'pending', provider: ben, ...more })
    await service.apply({
      providers: [{ id: ben, name: 'Ben', doubleBooking: true }],
      reservations: [
        double('double-1', 'Kim', { service: 'plain', status: 'confirmed' }),
        double('double-2', 'late', {}),
        double('double-3', 'Max', {}),
      ],
    })
    const { page, context, errors } = await openPanel(browser, service, '/reservations?status=pending', {
      as: 'admin@clinic.example',
    })
    t.after(() => context.close())
    for (const name of ['Una', 'Max'])
      await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    const refused = page.getByRole('alert').getByRole('listitem')
    await refused.filter({ hasText: 'Max' }).waitFor()
    await refused.filter({ hasText: 'Una' }).getByRole('button', { name: 'Confirm anyway' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('They come together')
    await dialog.getByRole('button', { name: 'Double-book' }).click()
    await refused.filter({ hasText: 'Una' }).waitFor({ state: 'detached' })
    await refused.filter({ hasText: 'Max' }).waitFor()
    await waitForValue(() => refused.count(), 1)
    assert.deepEqual(errors, [])
  })

  test('the completion of all visits, and its undo, go on after a visit that a colleague has changed', async (t) => {
    const today = (key: string, customer: string, time: string) =>
      booked(key, customer, `05T${time}`, { provider: ben })
    const visits = [
      today('today-1', 'late', '16:00'),
      today('today-2', 'Kim', '16:30'),
      today('today-0', 'Max', '15:30'),
    ]
    await service.apply({ reservations: visits })
    const { page, context } = await openPanel(browser, service, '/today', { as: 'manager@clinic.example' })
    const colleague = await openPanel(browser, service, '/today', { as: 'admin@clinic.example' })
    const sql = openSql(service)
    t.after(() => Promise.all([context.close(), colleague.context.close(), sql.close()]))
    for (const name of ['Max', 'Una', 'Kim']) {
      await page.getByRole('button', { name: `Check in: ${name}` }).click()
      await page.getByRole('button', { name: `Start: ${name}` }).waitFor()
    }
    const [cancelled, first, second] = await sql(
      "select id from reservation where key like 'today-%' order by start_at",
    )
    // A colleague cancels one of the three visits while the requests are on their way.
    await page.route(
      '**/reservations/attendance/',
      async (route) => {
        const body = { id: cancelled?.id, status: 'cancelled' }
        assert.equal((await service.call('POST', '/reservations/edit/', { body })).status, 200)
        await route.continue()
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Complete 3 visits' }).click()
    await page.getByText('2 visits completed.').waitFor()
    await page.getByRole('alert').filter({ hasText: 'cancelled' }).waitFor()
    await colleague.page.evaluate(`fetch('/admin/api/reservations/attendance/', {
      method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ id: '${first?.id}', state: 'no_show' }),
    })`)
    await pressUndo(page, '2 visits completed.')
    const attendanceOf = async (id: unknown) =>
      (await sql('select attendance from reservation where id = ?', [String(id)]))[0]?.attendance
    await waitForValue(() => attendanceOf(second?.id), 'arrived')
    await waitForValue(() => attendanceOf(first?.id), 'no_show')
    await page.getByRole('alert').filter({ hasText: 'Changed again since' }).waitFor()
  })
})
