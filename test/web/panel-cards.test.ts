import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { panelRoot } from '../../src/contract/panel-api.ts'
import { fillBookingForm } from '../support/booking-form.ts'
import { chromiumProgram, openContext } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import { assertAccessible, bookFirst, openPanel, startPanelService } from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { StripeStandIn } from '../support/stripe.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()

describe('cards on file and vouchers', {
  skip: program ? false : 'Chromium is not installed',
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  let stripe: StripeStandIn
  before(async () => {
    stripe = await StripeStandIn.open(() => Math.floor(Date.now() / 1000))
    const env = { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_STRIPE_URL: stripe.url }
    ;({ service, browser } = await startPanelService({ site: standardSite, env }, 1))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
    await stripe?.close()
  })

  const admin = { as: 'admin@clinic.example', alone: true } as const
  const phoneLook = { ...admin, width: 390, colorScheme: 'dark' } as const

  /**
   * Books the first free time, and sets the payment of the reservation and a price of 45.00 in the database; returns
   * the reservation's id.
   */
  async function booked(payment: object): Promise<string> {
    const id = await bookFirst(service)
    const sql = openSql(service)
    await sql('update reservation set payment = ?, price = 4500 where id = ?', [JSON.stringify(payment), id])
    await sql.close()
    return id
  }

  test('a service asks for a card, and the summary says what can be charged', async () => {
    const { page, context, errors } = await openPanel(browser, service, '/settings/payments', admin)
    await page.getByLabel('Secret key').fill(stripe.secretKey)
    await page.getByLabel('Webhook signing secret').fill(stripe.webhookSecret)
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Connected to Harbour Clinic').waitFor()
    await page.goto(new URL('/admin/services', service.url).href)
    await page.getByRole('button', { name: 'paid', exact: true }).first().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('combobox', { name: 'Payment', exact: true }).click()
    await page.getByRole('option', { name: 'Customer chooses' }).click()
    await drawer.getByRole('checkbox', { name: 'Online when booking' }).uncheck()
    await drawer.getByRole('checkbox', { name: 'Card on file for no-shows' }).check()
    await drawer.getByLabel('Amount of the fee').fill('20')
    await takeScreenshot(page, 'cards-service-1280')
    await assertAccessible(page, 'a service that asks for a card')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.waitFor({ state: 'hidden' })
    const { response } = (await service.call('GET', '/services/get/', { query: { full: true } })).body
    assert.deepEqual(Object(response.find((row) => row.name === 'paid')?.data).payment, {
      ...{ mode: 'choice', choices: ['on_site', 'card'], noShowFee: { amount: 2_000 } },
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'paid', exact: true }).first().click()
    await drawer.getByLabel('Amount of the fee').scrollIntoViewIfNeeded()
    await takeScreenshot(page, 'cards-service-390-dark')
    await assertAccessible(page, 'a service that asks for a card on a phone')
    await context.close()
    const visit = await openContext(browser, { viewport: { width: 390, height: 800 }, colorScheme: 'dark' })
    const book = await visit.newPage()
    await fillBookingForm(book, { origin: service.url, service: 'paid', name: 'Grace', email: 'grace@example.org' })
    await book.getByLabel('At the appointment, with a card on file').check()
    await book.getByRole('button', { name: 'Continue' }).click()
    await book.getByText('Your card is saved on the page of the payment service').waitFor()
    await takeScreenshot(book, 'cards-book-390-dark')
    await assertAccessible(book, 'a summary with a card')
    await book.setViewportSize({ width: 1280, height: 900 })
    await book.emulateMedia({ colorScheme: 'light' })
    await takeScreenshot(book, 'cards-book-1280')
    await visit.close()
    assert.deepEqual(errors, [])
  })

  test('a no-show is charged from its drawer after a preview, and a declined charge says what to do', async () => {
    const noShowFee = { amount: 2_000, state: 'agreed' }
    const payment = { method: 'card', state: 'due', amount: 4_500, paid: 0, refunded: 0, currency: 'EUR', noShowFee }
    const id = await booked(payment)
    const sql = openSql(service)
    // The panel offers to record attendance only from the day of the reservation on, so the reservation is moved two
    // hours into the past.
    const at = Math.floor(Date.now() / 1_000) - 7_200
    await sql('update reservation set start_at = ?, end_at = ? where id = ?', [at, at + 1_800, id])
    const [row] = await sql('select customer_id from reservation where id = ?', [id])
    await sql(
      `insert into payment (id, customer_id, purpose, amount, currency, state, expires_at, created_at, updated_at)
       values ('y_card', ?, 'card', 2000, 'EUR', 'paid', 0, 0, 0)`,
      [String(row?.customer_id)],
    )
    await sql(
      "insert into payment_share (payment_id, reservation_id, amount, state) values ('y_card', ?, 2000, 'booked')",
      [id],
    )
    const card = stripe.cards.save({ verdict: 'declined' })
    await sql(
      `insert into saved_card (payment_id, customer_reference, card_reference, brand, last4, saved_at)
       values ('y_card', ?, ?, 'visa', '4242', 0)`,
      [String(card.customer), card.id],
    )
    const { page, context, errors } = await openPanel(browser, service, `/reservations?open=${id}`, admin)
    const section = page.getByRole('region', { name: 'Payment' })
    await section.getByText('Visa ending in 4242').waitFor()
    await waitForValue(() => section.getByRole('button', { name: 'Charge no-show fee' }).count(), 0)
    const smtp = { host: '127.0.0.1', port: 1, security: 'none', user: '' }
    const settings = { enabled: true, smtp, from: { name: 'Harbour Clinic', address: 'desk@clinic.example' } }
    const status = await page.evaluate(
      async ([root, body]) => {
        const headers = { 'Content-Type': 'application/json' }
        return (await fetch(`${root}/notifications/settings/edit/`, { method: 'POST', headers, body })).status
      },
      [panelRoot, JSON.stringify(settings)] as const,
    )
    assert.equal(status, 200)
    await page.getByRole('group', { name: 'Attendance' }).getByRole('button', { name: 'Mark as no-show' }).click()
    await section.getByRole('button', { name: 'Charge no-show fee' }).click()
    const dialog = page.getByRole('dialog', { name: 'Charge no-show fee' })
    await dialog.getByText('€20.00 is charged to the card Visa ending in 4242 at once.').waitFor()
    await dialog.getByText('Message to Jo (jo@example.com)').waitFor()
    await dialog.getByText('we have charged €20.00 to your card').waitFor()
    await takeScreenshot(page, 'cards-charge-1280')
    await assertAccessible(page, 'the preview of a charge')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await takeScreenshot(page, 'cards-charge-390-dark')
    await assertAccessible(page, 'the preview of a charge on a phone')
    await dialog.getByRole('button', { name: 'Charge €20.00' }).click()
    await dialog.waitFor({ state: 'detached' })
    await section.getByText('The fee was not paid: the bank declined the charge').waitFor()
    await section.getByRole('button', { name: 'Send payment link' }).waitFor()
    await section.getByRole('button', { name: 'Write off' }).waitFor()
    await page.mouse.move(0, 0)
    await takeScreenshot(page, 'cards-declined-390-dark')
    await assertAccessible(page, 'a declined charge on a phone')
    await section.getByRole('button', { name: 'Send payment link' }).click()
    const link = page.getByRole('dialog', { name: 'Send payment link' })
    await link.getByText('The customer gets a link to pay €20.00').waitFor()
    await link.getByRole('button', { name: 'Send link' }).click()
    await section.getByText('A link to pay the fee was sent').waitFor()
    const charging = { ...payment, noShowFee: { ...noShowFee, state: 'charging' } }
    await sql('update reservation set payment = ? where id = ?', [JSON.stringify(charging), id])
    await sql.close()
    await section.getByText('The fee is being charged').waitFor()
    assert.equal(await section.getByRole('button').count(), 0, 'the desk takes nothing meanwhile')
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('a voucher is sold, found by its code, redeemed at a reservation, and refunded', async () => {
    const { page, context, errors } = await openPanel(browser, service, '/vouchers', admin)
    await page.getByText('No vouchers yet').waitFor()
    await page.getByRole('button', { name: 'Sell voucher' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Issue voucher' }).click()
    await dialog.getByText('Enter an amount.').waitFor()
    await dialog.getByLabel('Amount').fill('50')
    await takeScreenshot(page, 'vouchers-sell-1280')
    await assertAccessible(page, 'the sale of a voucher')
    await dialog.getByRole('button', { name: 'Issue voucher' }).click()
    const code = await dialog.getByText(/^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}$/).innerText()
    await takeScreenshot(page, 'vouchers-issued-1280')
    await assertAccessible(page, 'a voucher that was issued')
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 400)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download voucher to print' }).click(),
    ])
    assert.equal(file.suggestedFilename(), 'voucher.html')
    await dialog.getByRole('button', { name: 'Done' }).click()
    const table = page.getByRole('table', { name: 'Vouchers' })
    await table.getByText('€50.00').first().waitFor()
    await takeScreenshot(page, 'vouchers-1280')
    await assertAccessible(page, 'the list of vouchers')
    const payment = { method: 'on_site', state: 'due', amount: 4_500, paid: 0, refunded: 0, currency: 'EUR' }
    const id = await booked(payment)
    await context.close()
    const phone = await openPanel(browser, service, `/reservations?open=${id}`, phoneLook)
    const section = phone.page.getByRole('region', { name: 'Payment' })
    await section.getByRole('button', { name: 'Redeem voucher' }).click()
    const redeeming = phone.page.getByRole('dialog', { name: 'Redeem voucher' })
    await redeeming.getByLabel('Voucher code').fill('WRONG')
    await redeeming.getByRole('button', { name: 'Redeem voucher' }).click()
    await redeeming.getByText('This code is unknown').waitFor()
    await takeScreenshot(phone.page, 'vouchers-redeem-390-dark')
    await assertAccessible(phone.page, 'a wrong voucher on a phone')
    await redeeming.getByLabel('Voucher code').fill(code)
    await redeeming.getByRole('button', { name: 'Redeem voucher' }).click()
    await redeeming.waitFor({ state: 'detached' })
    await section.getByText('Paid by voucher').waitFor()
    await section.getByRole('button', { name: 'Refund' }).click()
    const refunding = phone.page.getByRole('dialog', { name: 'Refund' })
    await refunding.getByText('Goes back to the voucher first').waitFor()
    await refunding.getByLabel('Amount').fill('5')
    await refunding.getByLabel('Reason').fill('Shorter')
    await refunding.getByRole('button', { name: 'Refund' }).click()
    await section.getByText('Returned to voucher').waitFor()
    await phone.page.goto(new URL(`/admin/vouchers?search=${code}`, service.url).href)
    await phone.page.getByRole('button', { name: `Open voucher ending in ${code.slice(-4)}` }).click()
    const drawer = phone.page.getByRole('dialog')
    await drawer.getByText('€10.00').first().waitFor()
    await phone.page.mouse.move(0, 0)
    await takeScreenshot(phone.page, 'vouchers-drawer-390-dark')
    await assertAccessible(phone.page, 'a voucher on a phone')
    await drawer.getByRole('button', { name: 'Give up the rest' }).click()
    const closing = phone.page.getByRole('dialog', { name: 'Give up the rest' })
    await closing.getByText('€10.00 is left').waitFor()
    await closing.getByRole('button', { name: 'Give up the rest' }).click()
    await drawer.getByText('Voucher given up').waitFor()
    await drawer.getByRole('button', { name: 'Close' }).click()
    await takeScreenshot(phone.page, 'vouchers-390-dark')
    await assertAccessible(phone.page, 'the list of vouchers on a phone')
    await phone.context.close()
    assert.deepEqual(
      [...errors, ...phone.errors].filter((text) => !text.includes('409')),
      [],
    )
  })
})
