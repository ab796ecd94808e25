import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, now, standardSite } from '../support/clinic.ts'
import { MailServer, partOf } from '../support/mail-server.ts'
import { assertAccessible, bookForJo, navigate, openPanel, startPanelService } from '../support/panel.ts'
import { pause } from '../support/pause.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()

describe('the question whether the customer is notified', {
  skip: program ? false : 'Chromium is not installed',
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  let sql: Sql
  let mailServer: MailServer
  before(async () => {
    mailServer = await MailServer.open()
    ;({ service, browser } = await startPanelService({ site: standardSite, now }, ana))
    sql = openSql(service)
    const settings = {
      enabled: true,
      smtp: { host: '127.0.0.1', port: mailServer.port, security: 'none', user: '' },
      from: { name: '', address: 'desk@clinic.example' },
    }
    await sql('insert into notification_settings (id, body, smtp_password, updated_at) values (?, ?, null, 0)', [
      ...['site', JSON.stringify(settings)],
    ])
    await sql(`insert into event_consumer (name, tx, n) values ('notifications', 0, -1)`)
  })
  after(async () => {
    await sql?.close()
    await browser?.close()
    await service?.kill()
    await mailServer?.close()
  })

  const open = (path: string, look: object = {}, role = 'admin') =>
    openPanel(browser, service, path, { ...look, as: `${role}@clinic.example` })
  /** Books a slot for Jo through the API; returns the id of the reservation. */
  const book = async (): Promise<string> => {
    const window = { min_timestamp: now + 86_400, max_timestamp: now + 4 * 86_400 }
    return (await bookForJo(service, { ...window, providers: ana })).id
  }
  const statusOf = async (id: string) => (await sql('select status from reservation where id = ?', [id]))[0]?.status
  /** Returns whether the latest event of a reservation says that the customer gets no message. */
  const withheld = async (id: string): Promise<boolean> => {
    const [row] = await sql('select body from event where object_id = ? order by tx desc, n desc limit 1', [id])
    return JSON.parse(String(row?.body)).object.notifyCustomer === false
  }

  const cancel = async (page: Page): Promise<void> => {
    const button = { name: 'Cancel reservation' }
    await page.getByRole('dialog', { name: 'Jo' }).getByRole('button', button).click()
  }
  const questionOn = (page: Page) => page.getByRole('dialog', { name: 'Cancel this reservation?' })

  for (const look of [
    { width: 1280, colorScheme: 'light' },
    { width: 360, colorScheme: 'dark' },
  ] as const)
    test(`shows the message of a cancellation, ${look.width} pixels wide, ${look.colorScheme}`, async (t) => {
      const id = await book()
      const { page, context, errors } = await open(`/reservations?when=all&open=${id}`, look)
      t.after(() => context.close())
      const drawer = page.getByRole('dialog', { name: 'Jo' })
      await cancel(page)
      const asked = questionOn(page)
      await asked.getByText('Jo (jo@example.com)').waitFor()
      await asked.getByText(/^Cancelled: plain on/).waitFor()
      await asked.getByText('Your appointment on').waitFor()
      await takeScreenshot(page, `announcement-${look.width}`)
      await assertAccessible(page, 'the question')
      await asked.getByRole('button', { name: 'Keep' }).click()
      await asked.waitFor({ state: 'detached' })
      await waitForValue(() => statusOf(id), 'confirmed')
      await cancel(page)
      await asked.getByRole('button', { name: 'Customer is ill' }).click()
      await asked.getByLabel('Notify the customer').uncheck()
      await asked.getByRole('button', { name: 'Cancel reservation' }).click()
      await page.getByText('Reservation cancelled.').waitFor()
      await waitForValue(() => statusOf(id), 'cancelled')
      await waitForValue(() => withheld(id), true)
      await drawer.getByText('The customer was not notified.').waitFor()
      await drawer.getByText('Reason: Customer is ill').waitFor()
      assert.deepEqual(errors, [])
    })

  test('a move in the calendar asks, waits for the answer, and is undone with the former price', async (t) => {
    const id = await book()
    await sql("update reservation set price = 4200, currency = 'EUR' where id = ?", [id])
    const { page, context, errors } = await open(`/reservations?when=all&open=${id}`)
    t.after(() => context.close())
    const stored = () => sql('select start_at, price from reservation where id = ?', [id])
    const [row] = await stored()
    const date = new Date(Number(row?.start_at) * 1000).toISOString().slice(0, 10)
    await navigate(page, `/calendar?view=day&date=${date}&open=${id}`)
    await page.getByRole('dialog', { name: 'Jo' }).getByRole('button', { name: 'Move' }).click()
    const form = page.getByRole('dialog', { name: /^Move/ })
    const field = form.getByLabel(/^Start/)
    await field.fill((await field.inputValue()).replace('09:00', '11:00'))
    await form.getByRole('button', { name: 'Move' }).click()
    const asked = page.getByRole('dialog', { name: 'Notify the customer?' })
    await asked.getByText(/has been moved from .* 09:00 to .* 11:00/).waitFor()
    assert.deepEqual(await stored(), [row])
    await asked.locator('[data-autofocus]:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(/^Jo moved to .*, 11:00\.$/).waitFor()
    const [moved] = await stored()
    assert.ok(moved?.start_at !== row?.start_at && moved?.price !== row?.price)
    await waitForValue(() => withheld(id), false)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Jo moved back.').waitFor()
    assert.deepEqual(await stored(), [row])
    assert.deepEqual(errors, [])
  })

  test('a reservation that is cancelled while the question about its confirmation is open stays cancelled', async (t) => {
    const id = await book()
    await sql("update reservation set status = 'pending' where id = ?", [id])
    const { page, context, errors } = await open(`/reservations?when=all&open=${id}`)
    t.after(() => context.close())
    const drawer = page.getByRole('dialog', { name: 'Jo' })
    await drawer.getByRole('button', { name: 'Confirm' }).click()
    const asked = page.getByRole('dialog', { name: 'Notify the customer?' })
    await asked.getByText('Jo (jo@example.com)').waitFor()
    const cancelled = await service.call('POST', '/reservations/edit/', { body: { id, status: 'cancelled' } })
    assert.equal(cancelled.status, 200, cancelled.text)
    await asked.locator('[data-autofocus]:focus').waitFor()
    await page.keyboard.press('Enter')
    const refused = drawer.getByRole('alert').filter({ hasText: 'Couldn’t change this booking' })
    await refused.getByText(/^Changed again since: Status\./).waitFor()
    await drawer.getByRole('button', { name: 'Restore' }).waitFor()
    assert.equal(await statusOf(id), 'cancelled')
    assert.deepEqual(errors, [])
  })

  test('without mail nobody is asked', async (t) => {
    const id = await book()
    const [row] = await sql('select body from notification_settings')
    const body = String(row?.body)
    await sql('update notification_settings set body = ?', [JSON.stringify({ ...JSON.parse(body), enabled: false })])
    t.after(() => sql('update notification_settings set body = ?', [body]))
    const { page, context, errors } = await open(`/reservations?when=all&open=${id}`)
    t.after(() => context.close())
    await cancel(page)
    const asked = questionOn(page)
    await asked.getByLabel('Reason').waitFor()
    await waitForValue(() => asked.getByRole('checkbox').count(), 0)
    await asked.getByRole('button', { name: 'Cancel reservation' }).click()
    await page.getByText('Reservation cancelled.').waitFor()
    await waitForValue(() => withheld(id), false)
    // The settings are restored only after the event was read without mail: the next test would receive its message.
    const isRead = `select 1 from event_consumer reader where name = 'notifications' and not exists
      (select 1 from event where object_id = ? and (event.tx, event.n) > (reader.tx, reader.n))`
    while ((await sql(isRead, [id])).length === 0) await pause()
    assert.deepEqual(errors, [])
  })

  test('the message that arrives is the one that was shown', async (t) => {
    const id = await book()
    const { page, context, errors } = await open(`/reservations?when=all&open=${id}`)
    t.after(() => context.close())
    await cancel(page)
    const asked = questionOn(page)
    const text = await asked.getByRole('region').innerText()
    await asked.getByRole('button', { name: 'Cancel reservation' }).click()
    await page.getByText('Reservation cancelled.').waitFor()
    const until = async (query: string): Promise<void> => {
      while ((await sql(query, [id])).length === 0) await pause()
    }
    // The message would wait until the change can no longer be undone; the test makes it due at once.
    await until(
      `select 1 from event, job where object_id = ? and job.kind = 'notification' and unique_key like '%cancelled%'`,
    )
    await sql(`update job set run_at = 0 where kind = 'notification'`)
    await until(`select 1 from notification where reservation_id = ? and kind = 'cancelled'`)
    const mail = mailServer.to('jo@example.com').findLast(({ raw }) => /^Subject: Cancelled/m.test(raw))
    assert.ok(mail)
    assert.equal((partOf(mail, 'text/plain') ?? '').replaceAll('\r\n', '\n').trim(), text.trim())
    assert.deepEqual(errors, [])
  })
})
