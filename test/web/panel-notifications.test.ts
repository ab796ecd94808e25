import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, now, standardSite } from '../support/clinic.ts'
import { MailServer } from '../support/mail-server.ts'
import {
  assertAccessible,
  bookForJo,
  closeNotification,
  navigate,
  openPanel,
  password,
  startPanelService,
  waitForData,
} from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
const place = '/settings/notifications'
const looks = [
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const

describe('notifications in the panel', {
  skip: program ? false : 'Chromium is not installed',
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  let sql: Sql
  let mailServer: MailServer
  before(async () => {
    mailServer = await MailServer.open()
    const env = { DAYBOOK_SECRET_KEY: '5e'.repeat(32) }
    ;({ service, browser } = await startPanelService({ site: standardSite, env, now }, ana))
    sql = openSql(service)
  })
  after(async () => {
    await sql?.close()
    await browser?.close()
    await service?.kill()
    await mailServer?.close()
  })

  const open = (look: object, path = place, role = 'admin') =>
    openPanel(browser, service, path, { ...look, as: `${role}@clinic.example`, alone: true })
  /** Books a slot for Jo through the API; returns the ids of the reservation and of the customer. */
  const book = async () => {
    const window = { min_timestamp: now + 86_400, max_timestamp: now + 4 * 86_400 }
    const { id, customerId } = await bookForJo(service, { ...window, providers: ana })
    return { reservation: id, customer: customerId }
  }
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
  const saved = async (page: Page): Promise<void> => {
    await save(page).click()
    await closeNotification(page, 'Saved.')
  }

  test('an administrator sets up mail, with errors beside the fields, and a test message arrives', async (t) => {
    const { page, context, errors } = await open({})
    t.after(() => context.close())
    await page.getByLabel('Send messages').click({ force: true })
    await save(page).click()
    await page.getByText('Enter the server.').waitFor()
    await page.getByText('Enter the address.').waitFor()
    await takeScreenshot(page, 'mail-settings-errors')
    await assertAccessible(page, 'settings with errors')
    await page.getByLabel('Server', { exact: true }).fill('127.0.0.1')
    await page.getByLabel('Port').fill(String(mailServer.port))
    await page.getByRole('combobox', { name: 'Encryption' }).click()
    await page.getByRole('option', { name: 'None' }).click()
    await page.getByText('Without encryption').waitFor()
    await page.getByLabel('Sender address').fill('desk@clinic')
    await page.getByRole('button', { name: 'Add reminder' }).click()
    await page.getByLabel('Reminder 2, Amount').fill('24')
    await save(page).click()
    await page.getByText('There is a reminder at this time already.').waitFor()
    await page.getByLabel('Reminder 2, Amount').fill('2')
    await page.getByLabel('Quiet hours').click({ force: true })
    await page.getByLabel('From', { exact: true }).fill('21.30')
    await page.getByLabel('Until', { exact: true }).fill('7 am')
    await page.getByLabel('Follow-up', { exact: true }).uncheck()
    await sql('update session set authenticated_at = 0')
    await save(page).click()
    const asked = page.getByRole('dialog', { name: 'Confirm your identity' })
    await asked.getByLabel('Password', { exact: true }).fill(password)
    await asked.getByRole('button', { name: 'Confirm' }).click()
    await closeNotification(page, 'Saved.')
    const [row] = await sql('select body from notification_settings')
    const { reminders, quietHours, disabled, enabled } = JSON.parse(String(row?.body))
    assert.deepEqual(
      { reminders, quietHours, disabled, enabled },
      {
        reminders: [1_440, 120],
        quietHours: { from: '21:30', until: '07:00' },
        disabled: ['follow_up'],
        enabled: true,
      },
    )
    await page.getByLabel('Recipient').fill('nobody')
    await page.getByRole('button', { name: 'Send test message' }).click()
    await page.locator('input[aria-invalid=true]').waitFor()
    await takeScreenshot(page, 'mail-test-refused')
    await page.getByLabel('Recipient').fill('me@example.com')
    await page.getByRole('button', { name: 'Send test message' }).click()
    await page.getByText('The mail server accepted the message for me@example.com.').waitFor()
    assert.match(mailServer.to('me@example.com')[0]?.headers.get('subject') ?? '', /^Test message of /)
    assert.deepEqual(errors, [])
  })

  test('a test message that fails says why in plain words', async (t) => {
    const closed = createServer().listen(0, '127.0.0.1')
    const address = await new Promise((resolve) => closed.once('listening', () => resolve(closed.address())))
    await new Promise((resolve) => closed.close(resolve))
    const { page, context, errors } = await open({ width: 360, colorScheme: 'dark' })
    t.after(() => context.close())
    const port = await page.getByLabel('Port').inputValue()
    await page.getByLabel('Port').fill(String(Object(address).port))
    await saved(page)
    await page.getByRole('button', { name: 'Send test message' }).click()
    await page.getByText('The server refused the connection.').waitFor()
    await page.getByText(/ECONNREFUSED/).waitFor()
    await takeScreenshot(page, 'mail-test-failed')
    await assertAccessible(page, 'a failed test message')
    await page.getByLabel('Port').fill(port)
    await saved(page)
    assert.deepEqual(errors, [])
  })

  test('the password is stored, kept, replaced and removed, and never shown', async (t) => {
    const { page, context, errors } = await open({})
    t.after(() => context.close())
    const stored = async () => (await sql('select smtp_password from notification_settings'))[0]?.smtp_password
    await page.getByLabel('Password', { exact: true }).fill('first secret')
    await saved(page)
    await page.getByText('A password is stored.').waitFor()
    const first = await stored()
    assert.match(String(first), /^v1\./)
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByLabel('Password', { exact: true }).fill('second secret')
    await saved(page)
    await page.getByText('A password is stored.').waitFor()
    assert.notEqual(await stored(), first)
    assert.doesNotMatch(await page.content(), /(first|second) secret/)
    await page.getByRole('group', { name: 'Password' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The stored password is removed when you save.').waitFor()
    await saved(page)
    await page.getByLabel('Password', { exact: true }).waitFor()
    assert.equal(await stored(), null)
    assert.deepEqual(errors, [])
  })

  test('the message about a booking is listed with its reservation and customer, and found by filters', async (t) => {
    const { reservation, customer } = await book()
    const { page, context, errors } = await open({}, `${place}?view=messages`)
    t.after(() => context.close())
    const rows = page.getByRole('row').filter({ hasText: 'jo@example.com' })
    await rows.filter({ hasText: 'Reservation confirmed' }).getByText('Sent', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Test message' }).click()
    await rows.first().waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'me@example.com' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Recipient').fill('JO@exam')
    await page.getByRole('row').filter({ hasText: 'Test message' }).first().waitFor({ state: 'detached' })
    await rows.first().getByRole('link', { name: 'Reservation' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('region', { name: 'Messages' }).getByText('jo@example.com').waitFor()
    await assertAccessible(page, 'a reservation with its messages')
    await waitForValue(async () => new URL(page.url()).searchParams.get('open'), reservation)
    await sql(
      `insert into mail_suppression (address_key, reason, detail, created_at) values (?, 'bounced', ?, 1800000000)`,
      ['jo@example.com', '550 no such user'],
    )
    await navigate(page, `/customers?open=${customer}`)
    await drawer.getByText('No mail is sent to this address').waitFor()
    await drawer.getByText('550 no such user').waitFor()
    await drawer.getByRole('region', { name: 'Messages' }).getByText('Reservation confirmed').waitFor()
    await waitForData(page)
    await takeScreenshot(page, 'mail-customer')
    await assertAccessible(page, 'a customer whose address is suppressed')
    await drawer.getByRole('button', { name: 'Allow messages again' }).click()
    await page.getByText('Messages are allowed again.').waitFor()
    await drawer.getByText('No mail is sent to this address').waitFor({ state: 'detached' })
    assert.deepEqual(await sql('select * from mail_suppression'), [])
    assert.deepEqual(errors, [])
  })

  test('a manager allows messages to a provider and to staff again, whose addresses bounced', async (t) => {
    const [provider, staffAddress] = ['ana@clinic.example', 'desk@clinic.example']
    const { page, context, errors } = await open({}, place)
    t.after(() => context.close())
    await page.getByLabel('Staff address').fill(staffAddress)
    await saved(page)
    for (const address of [provider, staffAddress])
      await sql(
        `insert into mail_suppression (address_key, reason, detail, created_at) values (?, 'bounced', ?, 1800000000)`,
        [address, '550 no such user'],
      )
    const manager = await open({}, `/providers?open=${ana}`, 'manager')
    t.after(() => manager.context.close())
    const notice = (address: string) => manager.page.getByText(`refused a message to ${address} on`)
    const allow = manager.page.getByRole('button', { name: 'Allow messages again' })
    await notice(provider).waitFor()
    await waitForData(manager.page)
    await assertAccessible(manager.page, 'a provider whose address is suppressed')
    await allow.click()
    await notice(provider).waitFor({ state: 'detached' })
    await navigate(manager.page, place)
    await notice(staffAddress).waitFor()
    await allow.click()
    await notice(staffAddress).waitFor({ state: 'detached' })
    assert.deepEqual(await sql('select * from mail_suppression'), [])
    assert.deepEqual([errors, manager.errors], [[], []])
  })

  test('a log without messages offers the next step', async (t) => {
    const { page, context } = await open({}, `${place}?view=messages&state=skipped`, 'manager')
    t.after(() => context.close())
    await page.getByText('No results. Change or clear the filters.').waitFor()
  })

  test('unsaved changes are not lost without a question', async (t) => {
    const { page, context, errors } = await open({})
    t.after(() => context.close())
    await page.getByLabel('Sender name').fill('Half a na')
    await page.getByRole('link', { name: 'Jobs' }).click()
    const asked = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await waitForValue(() => page.getByLabel('Sender name').inputValue(), 'Half a na')
    await page.getByRole('link', { name: 'Jobs' }).click()
    await asked.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
    assert.deepEqual(errors, [])
  })

  test('a manager reads the settings and cannot change them', async (t) => {
    const { page, context, errors } = await open({}, place, 'manager')
    t.after(() => context.close())
    await page.getByText('Only administrators can change these settings.').waitFor()
    await waitForValue(() => page.getByLabel('Server', { exact: true }).isDisabled(), true)
    await waitForValue(() => save(page).count(), 0)
    await takeScreenshot(page, 'mail-settings-manager')
    await assertAccessible(page, 'settings of a manager')
    assert.deepEqual(errors, [])
  })

  for (const look of looks)
    test(`is accessible, ${look.width} pixels wide, ${look.colorScheme}`, async (t) => {
      const { page, context, errors } = await open(look)
      t.after(() => context.close())
      await page.getByLabel('Server', { exact: true }).waitFor()
      await waitForData(page)
      await takeScreenshot(page, `mail-settings-${look.width}`)
      await assertAccessible(page, 'settings')
      await navigate(page, `${place}?view=messages`)
      await page.getByText('jo@example.com').first().waitFor()
      await takeScreenshot(page, `mail-messages-${look.width}`)
      await assertAccessible(page, 'messages')
      assert.deepEqual(errors, [])
    })

  for (const locale of ['de-DE', 'es-ES', 'fr-FR'])
    test(`fits a phone in ${locale}`, async (t) => {
      const { page, context, errors } = await open({ width: 360, locale })
      t.after(() => context.close())
      for (const view of ['settings', 'messages']) {
        await navigate(page, view === 'settings' ? place : `${place}?view=${view}`)
        await takeScreenshot(page, `mail-${view}-${locale}`)
        await assertAccessible(page, `${view} in ${locale}`)
      }
      assert.deepEqual(errors, [])
    })

  test('the page to unsubscribe is accessible on a phone, in the dark, and works without scripts', async (t) => {
    await sql(
      `insert into notification
         (id, kind, recipient, locale, subject, state, reason, attempts, created_at, updated_at)
       values ('msg_page', 'reminder', 'luc@example.com', 'fr', '', 'sent', '', 1, ?, ?)`,
      [now, now],
    )
    const { page, context, errors } = await openPanel(browser, service, '/', { width: 360, colorScheme: 'dark' })
    t.after(() => context.close())
    await page.goto(`${service.url}/unsubscribe/?id=msg_page`)
    await takeScreenshot(page, 'unsubscribe')
    await assertAccessible(page, 'the page to unsubscribe')
    const question = await page.content()
    assert.doesNotMatch(question, /<script/)
    await page.getByRole('button', { name: 'Me désabonner' }).press('Enter')
    await page.getByText('Vous ne recevrez plus de rappels').waitFor()
    await takeScreenshot(page, 'unsubscribed')
    assert.deepEqual(await sql('select address_key from mail_suppression'), [{ address_key: 'luc@example.com' }])
    assert.deepEqual(errors, [])
  })
})
