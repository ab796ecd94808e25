import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, standardSite } from '../support/clinic.ts'
import { openLiveScreen } from '../support/live-screen.ts'
import { bookFirst, idOf, navigate, openPanel, startPanelService, waitForData } from '../support/panel.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const as = 'manager@clinic.example'

describe('the live changes in the panel', {
  skip: chromiumProgram() ? false : 'Chromium is not installed',
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: standardSite }, ana))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  test('a change between the data of a screen and the first connection of the stream is shown', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/start', { as })
    const cookie = (await context.cookies()).find(({ name }) => name === 'daybook-loopback')
    const other = await openLiveScreen(service.url, cookie?.value)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    t.after(async () => {
      release()
      other.close()
      await context.close()
    })
    await page.route('**/admin/api/live/', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${service.url}/admin/customers`)
    await page.getByRole('button', { name: 'Jo', exact: true }).waitFor()
    const body = { name: 'Late Comer', email: 'late@list.example' }
    const added = await service.call('POST', '/customers/add/', { body })
    assert.equal(added.status, 201, added.text)
    // Once the change was sent to another screen, a stream that begins later does not report it.
    await other.receives('customer')
    release()
    await page.getByRole('button', { name: 'Late Comer', exact: true }).waitFor()
    assert.deepEqual(errors, [])
  })

  test('the stream is requested before the session is known, and data of a screen after it once', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/start', { as })
    t.after(() => context.close())
    // The stream of the page that was open so far ends.
    await page.goto(`${service.url}/health/live`)
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    const begun = page.waitForResponse('**/admin/api/live/')
    await page.route(
      '**/admin/api/session/',
      async (route) => {
        await begun
        await route.continue()
      },
      { times: 1 },
    )
    await page.goto(`${service.url}/admin/customers`)
    await page.getByRole('button', { name: 'Jo', exact: true }).waitFor()
    await waitForData(page)
    assert.equal(paths.filter((path) => path === '/admin/api/customers/').length, 1)
    assert.deepEqual(errors, [])
  })

  test('a service that another program renames has its new name at once wherever a screen names it', async (t) => {
    await bookFirst(service)
    const id = await idOf(service, '/services/get/', 'plain')
    const { page, context, errors } = await openPanel(browser, service, '/start', { as })
    t.after(() => context.close())
    const named = (text: string) => page.locator('main').locator('td, th, li').filter({ hasText: text }).first()
    let name = 'plain'
    for (const path of ['/reservations?when=all', '/reports?by=service', '/settings/booking-page']) {
      await navigate(page, path)
      await named(name).waitFor()
      name = `Name on ${path}`
      const renamed = await service.call('POST', '/services/edit/', { body: { id, name } })
      assert.equal(renamed.status, 200, renamed.text)
      await named(name).waitFor()
    }
    assert.deepEqual(errors, [])
  })

  test('a setting of the SMS gateway that another program changes is shown in the open form', async (t) => {
    const path = '/settings/notifications?view=sms'
    const look = { as: 'admin@clinic.example', alone: true } as const
    const { page, context, errors } = await openPanel(browser, service, path, look)
    t.after(() => context.close())
    const sender = page.getByLabel('Sender')
    await waitForValue(() => sender.inputValue(), '')
    const status = await page.evaluate(`fetch('/admin/api/notifications/sms/edit/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ sender: '+4930901820' }),
    }).then(({ status }) => status)`)
    assert.equal(status, 200)
    await waitForValue(() => sender.inputValue(), '+4930901820')
    assert.deepEqual(errors, [])
  })
})
