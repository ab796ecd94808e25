import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { fillBookingForm } from '../support/booking-form.ts'
import { chromiumProgram, openContext } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import { assertAccessible, bookFirst, openPanel, startPanelService } from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()

describe('discount codes', { skip: program ? false : 'Chromium is not installed', timeout: 600_000 }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: standardSite }, 1))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const admin = { as: 'admin@clinic.example', alone: true } as const

  test('a discount code is added, entered on the booking page, and applied at the desk', async () => {
    const { page, context, errors } = await openPanel(browser, service, '/settings/payments', admin)
    const section = page.getByRole('region', { name: 'Discount codes' })
    await section.getByText('No discount codes yet').waitFor()
    await section.getByRole('button', { name: 'Add code' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add code' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter 3 to 40 letters').waitFor()
    await dialog.getByLabel('Discount code').fill('summer10')
    await dialog.getByLabel('A percentage', { exact: true }).last().fill('10')
    await dialog.getByLabel('Uses in all').fill('5')
    await takeScreenshot(page, 'coupons-add-1280')
    await assertAccessible(page, 'a new discount code')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await section.getByText('SUMMER10').waitFor()
    await section.getByText('10% · 0 of 5 uses').waitFor()
    await section.getByRole('button', { name: 'Switch off SUMMER10' }).click()
    await section.getByText('Switched off').waitFor()
    await section.getByRole('button', { name: 'Switch on SUMMER10' }).click()
    await section.getByText('Switched off').waitFor({ state: 'detached' })
    await takeScreenshot(page, 'coupons-1280')
    await assertAccessible(page, 'discount codes')
    await context.close()
    const id = await bookFirst(service)
    const sql = openSql(service)
    const payment = { method: 'on_site', state: 'due', amount: 4_500, paid: 0, refunded: 0, currency: 'EUR' }
    await sql('update reservation set payment = ?, price = 4500 where id = ?', [JSON.stringify(payment), id])
    await sql.close()
    const look = { ...admin, width: 360, colorScheme: 'dark' } as const
    const phone = await openPanel(browser, service, '/settings/payments', look)
    await phone.page.getByText('10% · 0 of 5 uses').scrollIntoViewIfNeeded()
    await takeScreenshot(phone.page, 'coupons-360-dark')
    await assertAccessible(phone.page, 'discount codes on a phone')
    await phone.page.getByRole('button', { name: 'Edit SUMMER10' }).click()
    await phone.page.getByRole('dialog', { name: 'Edit SUMMER10' }).getByText('cannot be changed').waitFor()
    await takeScreenshot(phone.page, 'coupons-edit-360-dark')
    await assertAccessible(phone.page, 'a discount code on a phone')
    await phone.page.goto(new URL(`/admin/reservations?open=${id}`, service.url).href)
    const paid = phone.page.getByRole('region', { name: 'Payment' })
    await paid.getByRole('button', { name: 'Apply code' }).click()
    const applying = phone.page.getByRole('dialog', { name: 'Apply code' })
    await applying.getByLabel('Discount code').fill('WINTER')
    await applying.getByRole('button', { name: 'Apply code' }).click()
    await applying.getByText('This code is unknown').waitFor()
    await waitForValue(() => applying.getByLabel('Discount code').getAttribute('aria-invalid'), 'true')
    await takeScreenshot(phone.page, 'coupons-apply-360-dark')
    await assertAccessible(phone.page, 'a wrong discount code on a phone')
    await applying.getByRole('button', { name: 'Cancel' }).click()
    await phone.context.close()
    const visit = await openContext(browser, { viewport: { width: 360, height: 800 }, colorScheme: 'dark' })
    const book = await visit.newPage()
    await fillBookingForm(book, { origin: service.url, service: 'paid', name: 'Grace', email: 'grace@example.org' })
    await book.getByRole('button', { name: 'Continue' }).click()
    await book.getByLabel('Discount code').fill('winter')
    await book.getByRole('button', { name: 'Apply' }).click()
    await book.getByText('This code is not valid for this booking').waitFor()
    await takeScreenshot(book, 'coupons-book-fault-360-dark')
    await assertAccessible(book, 'a wrong code on the booking page')
    await book.getByLabel('Discount code').fill('summer10')
    await book.getByRole('button', { name: 'Apply' }).click()
    await book.getByText('Code SUMMER10').waitFor()
    // The slot costs 45.00, or 60.00 on the special date of the site.
    await book
      .getByText(/54\.00|40\.50/)
      .first()
      .waitFor()
    await takeScreenshot(book, 'coupons-book-360-dark')
    await assertAccessible(book, 'a reduced price on the booking page')
    await book.setViewportSize({ width: 1280, height: 900 })
    await book.emulateMedia({ colorScheme: 'light' })
    await takeScreenshot(book, 'coupons-book-1280')
    await visit.close()
    assert.deepEqual(
      [...errors, ...phone.errors].filter((text) => !text.includes('409')),
      [],
    )
  })

  test('many discount codes are paged and searched', async () => {
    const sql = openSql(service)
    for (let n = 0; n < 60; n++)
      await sql(
        `insert into coupon (id, code, percent, service_ids, active, created_at) values (?, ?, 5, '[]', 1, 0)`,
        [`cp_many_${n}`, `MANY-${String(n).padStart(2, '0')}`],
      )
    await sql.close()
    const { page, context, errors } = await openPanel(browser, service, '/settings/payments', admin)
    const section = page.getByRole('region', { name: 'Discount codes' })
    await section.getByRole('button', { name: 'Next page' }).click()
    await section.getByText('MANY-00').waitFor()
    await takeScreenshot(page, 'coupons-pages-1280')
    await section.getByRole('searchbox', { name: 'Search for a code' }).fill('many-5')
    await waitForValue(() => section.getByRole('listitem').count(), 10)
    await assertAccessible(page, 'discount codes that were searched')
    await section.getByRole('searchbox').fill('nothing')
    await section.getByText('No results').waitFor()
    await context.close()
    assert.deepEqual(errors, [])
  })
})
