import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { insertSignedInUser } from '../support/browser-client.ts'
import { chromiumProgram, openContext } from '../support/chromium.ts'
import { ana, now, standardSite } from '../support/clinic.ts'
import { MailServer, partOf, type ReceivedMail } from '../support/mail-server.ts'
import { assertAccessible, navigate, openPanel, startPanelService } from '../support/panel.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql } from '../support/sql.ts'

const program = chromiumProgram()

describe('what the booking page sends by mail', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  let mailServer: MailServer
  before(async () => {
    mailServer = await MailServer.open()
    ;({ service, browser } = await startPanelService({ site: standardSite, now }, ana))
    const sql = openSql(service)
    const { browser: desk } = await insertSignedInUser({ server: service, sql }, 'admin', {
      email: 'settings@clinic.example',
    })
    const from = { name: 'The clinic', address: 'desk@clinic.example' }
    const smtp = { host: '127.0.0.1', port: mailServer.port, security: 'none', user: '' }
    assert.equal((await desk.post('/notifications/settings/edit/', { enabled: true, from, smtp })).status, 200)
    assert.equal((await desk.post('/booking-page/edit/', { verifyEmail: true })).status, 200)
    await sql.close()
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
    await mailServer.close()
  })

  // Returns the URL of the first link that matches in any message to an address, with the origin of the service.
  // Several messages are searched, because the confirmation of the booking may arrive before the message with the link.
  const linkIn = async (email: string, pattern: RegExp): Promise<string> => {
    const linkOf = (mail: ReceivedMail) => pattern.exec(partOf(mail, 'text/plain') ?? '')?.[0]
    const link = linkOf(await mailServer.firstTo(email, (mail) => linkOf(mail) !== undefined)) ?? ''
    return service.url + new URL(link).pathname
  }

  for (const { width, colorScheme } of [
    { width: 1280, colorScheme: 'light' },
    { width: 360, colorScheme: 'dark' },
  ] as const)
    test(`a booking is confirmed and found again by mailed links, ${width} pixels wide, ${colorScheme}`, async (t) => {
      const email = `visitor${width}@example.org`
      const look = { viewport: { width, height: 800 }, colorScheme, locale: 'en-GB', timezoneId: 'Europe/Berlin' }
      const context = await openContext(browser, look)
      t.after(() => context.close())
      const page = await context.newPage()
      await page.goto(`${service.url}/book/plain/?with=1&date=2026-10-${width === 360 ? 20 : 21}`)
      await page.locator('button.time').first().click()
      await page.locator('[name=name]').fill(`Visitor ${width}`)
      await page.locator('[name=email]').fill(email)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('button', { name: 'Book now' }).click()
      await page.getByRole('heading', { name: 'Confirm your e-mail address' }).waitFor()
      await assertAccessible(page, page.url())

      const desk = await openPanel(browser, service, '/today', { as: 'manager@clinic.example', width, colorScheme })
      t.after(() => desk.context.close())
      await navigate(desk.page, '/reservations')
      await desk.page.getByText('E-mail unconfirmed').first().waitFor()
      await assertAccessible(desk.page, 'a reservation that waits for the confirmation of the address')
      assert.deepEqual(desk.errors, [])

      await page.goto(await linkIn(email, /https?:\/\/\S+\/manage\/verify\/\S+\//))
      await page.getByText('Your booking counts once you confirm it').waitFor()
      await assertAccessible(page, page.url())
      await page.getByRole('button', { name: 'Confirm my booking' }).click()
      await page.getByText('Your e-mail address is confirmed').waitFor()
      await assertAccessible(page, page.url())
      await page.goto(`${service.url}/book/bookings/`)
      await assertAccessible(page, page.url())
      await page.locator('[name=email]').fill(email)
      await page.getByRole('button', { name: 'Send the link' }).click()
      await page.getByText(`If there are bookings for ${email}`).waitFor()
      await assertAccessible(page, page.url())
      await page.goto(await linkIn(email, /https?:\/\/\S+\/manage\/bookings\/\S+\//))
      await assertAccessible(page, page.url())
      await page.getByRole('button', { name: 'Show my bookings' }).click()
      await page.getByRole('heading', { name: 'Upcoming' }).waitFor()
      await assertAccessible(page, page.url())
      await page.getByRole('button', { name: 'Ask for deletion' }).click()
      await page.getByText('You have asked for the deletion of your data').waitFor()
      await assertAccessible(page, page.url())
      await page.getByRole('button', { name: 'Leave' }).click()
      await page.goto(`${service.url}/manage/bookings/`)
      await page.getByText('This link is not valid').waitFor()

      await navigate(desk.page, '/customers')
      await desk.page.getByText(email).first().waitFor()
      await assertAccessible(desk.page, 'a request for deletion')
      const decline = desk.page.getByRole('button', { name: `Decline the request of Visitor ${width}` })
      await decline.click()
      await decline.waitFor({ state: 'detached' })
      await desk.page.getByRole('button', { name: `Visitor ${width}`, exact: true }).click()
      const drawer = desk.page.getByRole('dialog', { name: `Visitor ${width}` })
      await drawer.getByText('Customer asked for deletion of their data').waitFor()
      await drawer.getByText('Request for deletion declined').waitFor()
      assert.deepEqual(desk.errors, [])
    })

  test('an administrator creates, replaces and removes the secret for users of the host site', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/settings/booking-page', {
      as: 'admin@clinic.example',
    })
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Create a secret' }).click()
    const secret = page.getByText(/^dbh_[\w-]{43}$/)
    const first = await secret.innerText()
    await assertAccessible(page, 'a new secret')
    await page.getByRole('button', { name: 'Replace the secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click()
    await page.getByText(first).waitFor({ state: 'detached' })
    assert.notEqual(await secret.innerText(), first)
    await page.getByRole('button', { name: 'Remove the secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the secret' }).click()
    await page.getByRole('button', { name: 'Create a secret' }).waitFor()
    assert.deepEqual(errors, [])
  })
})
