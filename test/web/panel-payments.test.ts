import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import { assertAccessible, bookFirst, openPanel, startPanelService } from '../support/panel.ts'
import { waitUntil } from '../support/payment-test-site.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { StripeStandIn } from '../support/stripe.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
// The date of the payments, or the one before it when midnight passes before they are made.
const begun = Temporal.Now.plainDateISO('Europe/Berlin').toString()

describe('payments in the panel', { skip: program ? false : 'Chromium is not installed', timeout: 600_000 }, () => {
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

  test('Stripe is connected with its keys, and what is wrong is shown beside the field', async () => {
    const { page, context, errors } = await openPanel(browser, service, '/settings/payments', admin)
    await page.getByText('No payment processor is connected').waitFor()
    await page.getByLabel('Secret key').fill('pk_test_0123456789')
    await page.getByLabel('Webhook signing secret').fill(stripe.webhookSecret)
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Enter a secret or restricted key of Stripe').first().waitFor()
    await takeScreenshot(page, 'payments-faults')
    await page.getByLabel('Secret key').fill(stripe.secretKey)
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Connected to Harbour Clinic').waitFor()
    await page.getByText('/payments/events/stripe/').waitFor()
    await takeScreenshot(page, 'payments-1280')
    await assertAccessible(page, 'the payment processor')
    assert.deepEqual(
      errors.filter((text) => !text.includes('400')),
      [],
    )
    await context.close()
  })

  test('a deposit is set at a service, and the settings fit a phone in the dark', async () => {
    const look = { ...admin, width: 360, colorScheme: 'dark' } as const
    const { page, context, errors } = await openPanel(browser, service, '/settings/payments', look)
    await page.getByText('Connected to Harbour Clinic').waitFor()
    await takeScreenshot(page, 'payments-360-dark')
    await assertAccessible(page, 'the payment processor on a phone')
    await page.goto(new URL('/admin/services', service.url).href)
    await page.getByRole('button', { name: 'paid', exact: true }).first().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('combobox', { name: 'Paid when booking' }).click()
    await page.getByRole('option', { name: 'A percentage' }).click()
    await drawer.getByLabel('Deposit').fill('20')
    await drawer.getByLabel('Tax included').fill('8.1')
    await drawer.getByRole('button', { name: 'Add step' }).click()
    const notice = drawer.getByLabel('Hours before, at least')
    await notice.fill('')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.getByText('Enter a number.').waitFor()
    await notice.fill('48')
    await takeScreenshot(page, 'payments-service-360-dark')
    await assertAccessible(page, 'the payment of a service on a phone')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.waitFor({ state: 'hidden' })
    const { response } = (await service.call('GET', '/services/get/', { query: { full: true } })).body
    const paid = response.find((row) => row.name === 'paid')
    const refunds = [{ hours: 48, percent: 100 }]
    assert.deepEqual(Object(paid?.data).payment, {
      mode: 'online',
      deposit: { percent: 20 },
      refunds,
      taxBasisPoints: 810,
    })
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('the drawer of a reservation records a payment on site and gives it back', async () => {
    const id = await bookFirst(service)
    const sql = openSql(service)
    const payment = { method: 'on_site', state: 'due', amount: 4_500, paid: 0, refunded: 0, currency: 'EUR' }
    await sql('update reservation set payment = ? where id = ?', [JSON.stringify(payment), id])
    await sql.close()
    const look = { ...admin, width: 360, colorScheme: 'dark' } as const
    const { page, context, errors } = await openPanel(browser, service, `/reservations?open=${id}`, look)
    const section = page.getByRole('region', { name: 'Payment' })
    await section.getByText('Due').first().waitFor()
    await section.getByRole('button', { name: 'Paid on site' }).click()
    const taking = page.getByRole('dialog', { name: 'Paid on site' })
    await taking.getByLabel('Amount').fill('60')
    await taking.getByRole('button', { name: 'Record payment' }).click()
    await taking.getByText('At most €45.00.').waitFor()
    await taking.getByLabel('Amount').fill('40')
    await taking.getByRole('button', { name: 'Record payment' }).click()
    await taking.waitFor({ state: 'detached' })
    await section.getByRole('button', { name: 'Write off' }).click()
    const giving = page.getByRole('dialog', { name: 'Write off' })
    await giving.getByRole('button', { name: 'Write off' }).click()
    await giving.getByText('Enter a reason.').waitFor()
    await takeScreenshot(page, 'payments-write-off-360-dark')
    await assertAccessible(page, 'a write-off on a phone')
    await giving.getByLabel('Reason').fill('Moved away')
    await giving.getByRole('button', { name: 'Write off' }).click()
    await giving.waitFor({ state: 'detached' })
    await section.getByText('€5.00').first().waitFor()
    await section.getByRole('button', { name: 'Write off' }).waitFor({ state: 'detached' })
    // Nothing is due any more, so the badge says neither "Due" nor "Partly paid".
    await section.getByText('Written off', { exact: true }).first().waitFor()
    assert.equal(await section.getByText('Partly paid').count(), 0)
    await takeScreenshot(page, 'payments-reservation-360-dark')
    await section.getByRole('button', { name: 'Refund' }).click()
    const refunding = page.getByRole('dialog', { name: 'Refund' })
    await refunding.getByRole('button', { name: 'Refund' }).click()
    await refunding.getByText('Enter a reason.').waitFor()
    await takeScreenshot(page, 'payments-refund-360-dark')
    await assertAccessible(page, 'a refund on a phone')
    await refunding.getByLabel('Amount').fill('20')
    await refunding.getByLabel('Reason').fill('Shorter than booked')
    // The refund is made, its response is lost, and the user sends it again: it is made once.
    await page.route(
      '**/payments/refund/',
      async (route) => {
        assert.equal((await route.fetch()).status(), 200)
        await route.abort()
      },
      { times: 1 },
    )
    await refunding.getByRole('button', { name: 'Refund' }).click()
    await refunding.getByText('The service cannot be reached').waitFor()
    await refunding.getByRole('button', { name: 'Refund' }).click()
    await refunding.waitFor({ state: 'detached' })
    await section.getByText('Partly refunded').waitFor()
    await section.getByText('Given back on site').waitFor()
    // The pointer is moved away from the times, which show a tooltip.
    await page.mouse.move(0, 0)
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await assertAccessible(page, 'the payment of a reservation on a phone')
    assert.deepEqual(
      errors.filter((text) => !/400|ERR_FAILED/.test(text)),
      [],
    )
    await context.close()
  })

  test('cancelling a reservation that was paid online says what goes back, and leaders choose', async () => {
    const id = await bookFirst(service)
    const sql = openSql(service)
    const payment = { method: 'online', state: 'paid', amount: 4_500, paid: 4_500, refunded: 0, currency: 'EUR' }
    await sql('update reservation set payment = ? where id = ?', [JSON.stringify(payment), id])
    const [row] = await sql('select customer_id from reservation where id = ?', [id])
    await sql(
      `insert into payment (id, customer_id, amount, currency, state, charge_id, expires_at, created_at, updated_at)
       values ('y_1', ?, 4500, 'EUR', 'paid', 'ch_1', 0, 0, 0)`,
      [String(row?.customer_id)],
    )
    await sql(
      "insert into payment_share (payment_id, reservation_id, amount, state) values ('y_1', ?, 4500, 'booked')",
      [id],
    )
    await sql.close()
    const look = { ...admin, width: 360, colorScheme: 'dark' } as const
    const { page, context, errors } = await openPanel(browser, service, `/reservations?open=${id}`, look)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel reservation' }).click()
    const dialog = page.getByRole('dialog').last()
    const refund = dialog.getByRole('combobox', { name: 'Refund' })
    await refund.waitFor()
    await waitForValue(() => refund.inputValue(), 'By rule: €0.00')
    await takeScreenshot(page, 'payments-cancel-360-dark')
    await assertAccessible(page, 'a refund of a cancellation on a phone')
    await refund.press('ArrowDown')
    await page.getByRole('option', { name: 'Everything: €45.00' }).click()
    await dialog.getByRole('button', { name: 'Cancel reservation' }).click()
    await refund.waitFor({ state: 'detached' })
    await page.getByRole('dialog').getByText('Cancelled').first().waitFor()
    const job = openSql(service)
    const [queued] = await waitUntil(async () => {
      const rows = await job("select payload from job where kind = 'payment-cancellation' and unique_key = ?", [id])
      return rows.length > 0 && rows
    }, 'the job')
    await job.close()
    assert.equal(JSON.parse(String(queued?.payload)).refund, 'all')
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('payments are listed with their reservations, narrowed by filters, and counted as income', async () => {
    const { page, context, errors } = await openPanel(browser, service, '/payments', admin)
    const table = page.getByRole('table', { name: 'Payments' })
    await table.getByText('Given back on site').waitFor()
    await takeScreenshot(page, 'payments-list-1280')
    await assertAccessible(page, 'the list of payments')
    await page.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Paid on site', exact: true }).click()
    await table.getByText('Given back on site').waitFor({ state: 'detached' })
    await waitForValue(() => table.getByRole('row').count(), 2)
    await table.getByRole('link', { name: 'Open the reservation of Jo' }).click()
    await page.getByRole('dialog').getByRole('region', { name: 'Payment' }).waitFor()
    await page.goto(new URL('/admin/reports?to=2100-01-01&from=2099-12-31', service.url).href)
    await page.getByText('Bookings').first().waitFor()
    await waitForValue(() => page.getByText('View payments').count(), 0)
    const today = Temporal.Now.plainDateISO('Europe/Berlin').toString()
    await page.goto(new URL(`/admin/reports?by=month&from=${begun.slice(0, 7)}-01&to=${today}`, service.url).href)
    await page.getByText('€20.00').first().waitFor()
    await takeScreenshot(page, 'payments-reports-1280')
    await assertAccessible(page, 'a report with income')
    await page.goto(new URL('/admin/today', service.url).href)
    await page.getByText('€20.00 received in this period').waitFor()
    await context.close()
    const look = { ...admin, width: 360, colorScheme: 'dark' } as const
    const phone = await openPanel(browser, service, '/payments', look)
    await phone.page.getByText('Given back on site').waitFor()
    await takeScreenshot(phone.page, 'payments-list-360-dark')
    await assertAccessible(phone.page, 'the list of payments on a phone')
    await phone.page.goto(new URL(`/admin/reports?from=${begun}&to=${today}`, service.url).href)
    await phone.page.getByText('€20.00').first().waitFor()
    await takeScreenshot(phone.page, 'payments-reports-360-dark')
    await assertAccessible(phone.page, 'a report with income on a phone')
    assert.deepEqual([...errors, ...phone.errors], [])
    await phone.context.close()
  })

  test('a dispute is shown at its reservation and above the list of payments, with the date to answer by', async () => {
    const sql = openSql(service)
    const [share] = await sql("select reservation_id from payment_share where payment_id = 'y_1'")
    const clock = Math.floor(Date.now() / 1000)
    await sql(
      `insert into dispute (id, payment_id, amount, currency, reason, state, taken, returned, due_at, created_at, updated_at)
       values ('du_1', 'y_1', 4500, 'EUR', 'product_not_received', 'open', 4500, 0, ?, ?, ?)`,
      [clock + 7 * 86_400, clock, clock],
    )
    await sql.close()
    const look = { ...admin, width: 360, colorScheme: 'dark' } as const
    const { page, context, errors } = await openPanel(browser, service, '/payments', look)
    const alert = page.getByRole('alert', { name: 'Disputes' })
    await alert.getByText('The customer says that they got nothing for it.').waitFor()
    await takeScreenshot(page, 'payments-disputes-360-dark')
    await assertAccessible(page, 'disputes on a phone')
    await alert.getByRole('link').click()
    const section = page.getByRole('dialog').getByRole('region', { name: 'Payment' })
    await section.getByText('Answer in the Stripe dashboard by').waitFor()
    await waitForValue(async () => page.url().includes(String(share?.reservation_id)), true)
    await takeScreenshot(page, 'payments-dispute-360-dark')
    await assertAccessible(page, 'the dispute of a reservation on a phone')
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('the settings show the last comparison with Stripe, and an administrator settles a difference', async () => {
    const sql = openSql(service)
    const clock = Math.floor(Date.now() / 1000)
    await sql("insert into reconciliation (id, from_at, until_at, ran_at, compared) values ('site', 0, 0, ?, 27)", [
      clock,
    ])
    await sql(
      `insert into payment_difference (id, kind, reference, booked, found, currency, at, found_at, confirmed_at)
       values ('refund:re_3PqLmN2eZvKYlo2C', 'refund', 're_3PqLmN2eZvKYlo2C', null, 1000, 'EUR', ?, ?, ?)`,
      [clock, clock, clock],
    )
    await sql(
      `insert into payout (id, amount, currency, state, own, matched, arrives_at, created_at)
       values ('po_1', 123456, 'EUR', 'paid', 120000, 1, ?, ?)`,
      [clock, clock],
    )
    await sql.close()
    const look = { ...admin, width: 360, colorScheme: 'dark' } as const
    const { page, context, errors } = await openPanel(browser, service, '/settings/payments', look)
    const settle = page.getByRole('button', { name: 'Settle: Refund re_3PqLmN2eZvKYlo2C' })
    await settle.waitFor()
    await page.getByText('of which €1,200.00 from payments here').waitFor()
    await takeScreenshot(page, 'payments-reconciliation-360-dark')
    await assertAccessible(page, 'the comparison with Stripe on a phone')
    await settle.click()
    await settle.waitFor({ state: 'detached' })
    await page.getByText('Books and Stripe agree.').waitFor()
    await page.getByRole('button', { name: 'Compare now' }).click()
    await page.getByText('The comparison has been queued.').waitFor()
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('the seller on receipts is set, and receipts are downloaded at the reservation', async () => {
    const sql = openSql(service)
    const [row] = await sql('select reservation_id, number from receipt order by number')
    await sql.close()
    const look = { ...admin, width: 360, colorScheme: 'dark' } as const
    const { page, context, errors } = await openPanel(browser, service, '/settings/payments', look)
    const section = page.getByRole('region', { name: 'Receipts' })
    await section.getByLabel('Address').fill('1 Quay Street\n12345 Port')
    await section.getByLabel('Keep receipts for (years)').fill('')
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByText('Enter a whole number from 1 to 30.').waitFor()
    await takeScreenshot(page, 'payments-receipts-360-dark')
    await assertAccessible(page, 'the settings of receipts on a phone')
    await section.getByLabel('Keep receipts for (years)').fill('8')
    await section.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    await page.goto(new URL(`/admin/reservations?open=${row?.reservation_id}`, service.url).href)
    const link = page.getByRole('dialog').getByRole('link', { name: `Receipt ${row?.number}` })
    await link.waitFor()
    await takeScreenshot(page, 'payments-receipt-links-360-dark')
    await assertAccessible(page, 'receipts of a reservation on a phone')
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    assert.equal(download.suggestedFilename(), `${row?.number}.html`)
    const href = await link.getAttribute('href')
    const text = await page.evaluate(async (address) => (await fetch(String(address))).text(), href)
    await page.goto('about:blank')
    await page.setContent(text)
    await page.getByText('Harbour Clinic').waitFor()
    await takeScreenshot(page, 'payments-receipt-360')
    assert.deepEqual(errors, [])
    await context.close()
  })
})
