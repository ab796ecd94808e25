import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, standardSite } from '../support/clinic.ts'
import { bookFirst, navigate, openPanel, startPanelService } from '../support/panel.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()

describe('a part of the panel that an overloaded service does not send', {
  skip: program ? false : 'Chromium is not installed',
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  let id: string
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: standardSite }, ana))
    id = await bookFirst(service)
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  /** Opens a page on which the first `count` requests for a file are answered 503; returns the number of requests. */
  const openWithout = async (name: string, count: number): Promise<{ page: Page; asked: () => number }> => {
    const { page } = await openPanel(browser, service, '/start', { as: 'admin@clinic.example', alone: true })
    let asked = 0
    await page.route(`**/assets/${name}-*.js`, async (route) => {
      asked += 1
      await (asked > count ? route.continue() : route.fulfill({ status: 503 }))
    })
    return { page, asked: () => asked }
  }

  test('is requested again', async (t) => {
    const { page, asked } = await openWithout('deferred-sections', 1)
    t.after(() => page.context().close())
    await navigate(page, `/reservations?when=all&open=${id}`)
    const drawer = page.getByRole('dialog', { name: 'Jo', exact: true })
    await waitForValue(async () => asked(), 2)
    await drawer.getByRole('button', { name: 'Cancel reservation' }).waitFor()
    assert.equal(await page.getByText('could not be loaded').count(), 0)
  })

  test('is requested again with the files that it shares with others', async (t) => {
    const { page, asked } = await openWithout('shared', 1)
    t.after(() => page.context().close())
    await navigate(page, '/customers')
    await page.getByRole('button', { name: 'Jo', exact: true }).waitFor()
    assert.ok(asked() > 1, `${asked()} requests`)
    assert.equal(await page.getByText('could not be loaded').count(), 0)
  })

  test('is missing alone: the rest of the drawer remains and works', async (t) => {
    const { page } = await openWithout('deferred-sections', Number.POSITIVE_INFINITY)
    t.after(() => page.context().close())
    await navigate(page, `/reservations?when=all&open=${id}`)
    const drawer = page.getByRole('dialog', { name: 'Jo', exact: true })
    await drawer.getByRole('button', { name: 'Cancel reservation' }).click()
    const asked = page.getByRole('dialog', { name: 'Cancel this reservation?' })
    await asked.waitFor()
    await drawer.getByRole('alert').getByText('A part of the panel could not be loaded').waitFor()
    await asked.getByRole('button', { name: 'Keep' }).click()
    await asked.waitFor({ state: 'detached' })
    await drawer.getByRole('button', { name: 'Cancel reservation' }).click()
    await asked.waitFor()
  })

  test('that is read again stays as it was, with what is typed in it', async (t) => {
    const { page } = await openPanel(browser, service, '/customers', { as: 'admin@clinic.example', alone: true })
    t.after(() => page.context().close())
    await page.getByRole('button', { name: 'Jo', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Jo', exact: true })
    await drawer.getByRole('button', { name: 'Edit', exact: true }).click()
    await drawer.getByLabel('Phone', { exact: true }).fill('+49 30 123456')
    let refused = false
    await page.route('**/admin/api/customers/one/**', async (route) => {
      const body = { code: 'rest_unavailable', message: 'The service is overloaded.', data: { status: 503 } }
      await (refused ? route.continue() : route.fulfill({ status: 503, json: body }))
      refused = true
    })
    const { body } = await service.call('GET', '/customers/get/')
    const customer = body.response.find(({ name }) => name === 'Jo')
    const change = { id: String(customer?.id), email: 'jo.new@example.com' }
    assert.equal((await service.call('POST', '/customers/edit/', { body: change })).status, 200)
    await waitForValue(async () => refused, true)
    await page.getByText('jo.new@example.com').first().waitFor()
    assert.equal(await drawer.getByLabel('Phone', { exact: true }).inputValue(), '+49 30 123456')
  })

  test('that asks a question is reported in a dialog, and nothing changes', async (t) => {
    const { page } = await openWithout('cancel-dialog', Number.POSITIVE_INFINITY)
    t.after(() => page.context().close())
    await navigate(page, `/reservations?when=all&open=${id}`)
    const drawer = page.getByRole('dialog', { name: 'Jo', exact: true })
    await drawer.getByRole('button', { name: 'Cancel reservation' }).click()
    const failed = page.getByRole('dialog', { name: 'Something went wrong' })
    await failed.getByText('A part of the panel could not be loaded').waitFor()
    await failed.getByRole('button', { name: 'Close' }).click()
    await failed.waitFor({ state: 'detached' })
    await drawer.getByText('Confirmed').first().waitFor()
  })

  test('that holds the texts is requested again, and its lack is said instead of leaving the page blank', async (t) => {
    const { page, asked } = await openWithout('en', 1)
    t.after(() => page.context().close())
    await page.reload()
    await page.getByRole('navigation').first().waitFor()
    assert.ok(asked() > 1)
    const { page: blank } = await openWithout('en', Number.POSITIVE_INFINITY)
    t.after(() => blank.context().close())
    await blank.reload()
    await blank.getByRole('alert').getByText('The panel could not be loaded').waitFor()
  })
})
