import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { now } from '../support/clinic.ts'
import { MailServer, partOf } from '../support/mail-server.ts'
import { assertAccessible, openPanel, startPanelService, waitForData } from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const site = {
  site: { name: 'Harbour Clinic', timezone: 'Europe/Berlin', language: 'en' },
  providers: [{ id: 3, name: 'Ana Ruiz' }],
}

describe('mail to users of the panel', { timeout: 600_000 }, () => {
  let service: ServiceProcess
  let browser: Browser
  let sql: Sql
  let mailServer: MailServer
  before(async () => {
    mailServer = await MailServer.open()
    ;({ service, browser } = await startPanelService({ now, site }, 3))
    sql = openSql(service)
  })
  after(async () => {
    await sql?.close()
    await browser?.close()
    await service?.kill()
    await mailServer.close()
  })

  const switchOn = () => {
    const smtp = { host: '127.0.0.1', port: mailServer.port, security: 'none', user: '' }
    const body = { enabled: true, smtp, from: { name: '', address: 'desk@clinic.example' } }
    return sql('insert into notification_settings (id, body, updated_at) values (?, ?, ?)', [
      ...['site', JSON.stringify(body), now],
    ])
  }
  test('a forgotten password is set again from the mail; without mail the page says who can help', async () => {
    const plain = await openPanel(browser, service, '/forgot-password', { width: 360, alone: true })
    await plain.page.getByText('daybook user link').waitFor()
    await plain.context.close()
    await switchOn()
    const look = { width: 360, colorScheme: 'dark', alone: true } as const
    const { page, context, errors } = await openPanel(browser, service, '/sign-in', look)
    await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter')
    // Waits for the title, because the sign-in page also has a field with the label "E-mail".
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
    await page.getByLabel('E-mail').fill('admin@clinic.example')
    await takeScreenshot(page, 'forgot-360')
    await assertAccessible(page, 'asking for a link')
    await page.getByLabel('E-mail').press('Enter')
    await page.getByText('the link is on its way').waitFor()
    const text = partOf(await mailServer.firstTo('admin@clinic.example'), 'text/plain') ?? ''
    const [, path = ''] = /(\/admin\/set-password#[\w-]{43})/.exec(text) ?? []
    await page.goto(service.url + path)
    await page.getByLabel('New password').fill('Fjord-Lampe-93-Zirkus')
    await page.getByLabel('Repeat password').fill('Fjord-Lampe-93-Zirkus')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('the link of a new user is sent by e-mail', async () => {
    const { page, context, errors } = await openPanel(browser, service, '/settings/team', {
      as: 'manager@clinic.example',
      alone: true,
    })
    await sql("update person set role = 'admin' where email = 'manager@clinic.example'")
    await page.reload()
    await waitForData(page)
    await page.getByRole('button', { name: 'Add team member' }).click()
    await page.getByLabel('Name').fill('Mia Berg')
    await page.getByRole('dialog').getByLabel('E-mail').fill('mia@clinic.example')
    await page.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: /^Receptionist/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Link for Mia Berg' })
    await dialog.waitFor()
    await takeScreenshot(page, 'invitation-1280')
    await dialog.getByRole('button', { name: 'Send by e-mail instead' }).click()
    await page.getByText('The link was sent to mia@clinic.example').waitFor()
    const mail = await mailServer.firstTo('mia@clinic.example')
    assert.equal(mail.headers.get('subject'), 'Your account at Harbour Clinic')
    assert.deepEqual(errors, [])
    await context.close()
  })
})
