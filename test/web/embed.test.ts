import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { insertSignedInUser } from '../support/browser-client.ts'
import { chromiumProgram, openContext, startChromium } from '../support/chromium.ts'
import { now, standardSite } from '../support/clinic.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()

describe('the booking page on another site', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  let host: Server
  let origin = ''
  before(async () => {
    service = await startService({ site: standardSite, now })
    browser = await startChromium(program ?? '')
    // Serves a page of another origin whose strict content security policy allows only scripts and frames of the
    // booking service, and no inline styles.
    host = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://host')
      const attributes = searchParams.get('script') ?? ''
      const lang = searchParams.get('lang') ?? 'en'
      const script = `<script src="${service.url}/embed.js" ${attributes}></script>`
      const body = searchParams.get('body') ?? `<button data-daybook-open>Book</button>${script}`
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.setHeader(
        'Content-Security-Policy',
        `default-src 'none'; script-src ${service.url}; frame-src ${service.url}`,
      )
      response.end(`<!doctype html><html lang="${lang}"><title>Host</title><body>${body}</body></html>`)
    })
    host.listen(0, '127.0.0.1')
    await once(host, 'listening')
    origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
    await allow([origin])
  })
  after(async () => {
    host?.close()
    await browser?.close()
    await service?.kill()
  })

  async function allow(origins: readonly string[]): Promise<void> {
    const sql = openSql(service)
    await sql('delete from booking_page')
    await sql("insert into booking_page (id, body) values ('site', ?)", [JSON.stringify({ allowedOrigins: origins })])
    await sql('update site set catalogue = ?', [`changed ${origins}`])
    await sql.close()
  }

  interface HostPage {
    readonly page: Page
    readonly wrong: string[]
    close(): Promise<void>
  }

  function open(script: string, lang = 'en'): Promise<HostPage> {
    return openHost({ script, lang })
  }

  async function openHost(parameters: Record<string, string>): Promise<HostPage> {
    const context = await openContext(browser, { locale: 'en-GB', timezoneId: 'Europe/Berlin' })
    const page = await context.newPage()
    const wrong: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(message.text())
    })
    page.on('pageerror', (error) => wrong.push(error.message))
    await page.addInitScript(
      "window.seen = []; for (const name of ['daybook:booked', 'daybook:closed']) document.addEventListener(name, ({ type }) => seen.push(type))",
    )
    await page.goto(`${origin}/?${new URLSearchParams(parameters)}`)
    return { page, wrong, close: () => context.close() }
  }

  test('books in place under a strict policy, grows with its content, and tells the page', async (t) => {
    const { page, wrong, close } = await open('data-service="plain" data-with="1"')
    t.after(close)
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'plain' }).waitFor()
    await waitForValue(() => frame.getByRole('navigation').count(), 0)
    await frame.locator('button.time').first().click()
    await frame.getByLabel('Name').fill('Ada Lovelace')
    await frame.getByLabel('E-mail').fill('ada@example.org')
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('button', { name: 'Book now' }).click()
    await frame.getByRole('heading', { name: 'You are booked' }).waitFor()
    await waitForValue(() => page.evaluate("seen.includes('daybook:booked')"), true)
    await waitForValue(async () => {
      const height = Number(await page.evaluate("document.querySelector('iframe').clientHeight"))
      return Math.abs(height - 640) > 1 && height > 200
    }, true)
    assert.deepEqual(wrong, [])
  })

  test('opens in a dialog, closes with Escape, and gives the focus back', async (t) => {
    const { page, wrong, close } = await open('data-service="plain" data-mode="popup"')
    t.after(close)
    const button = page.getByRole('button', { name: 'Book', exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await page.frameLocator('iframe').getByRole('heading', { name: 'plain' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate("document.activeElement.hasAttribute('data-daybook-open')"), true)
    await waitForValue(() => page.evaluate('seen.join()'), 'daybook:closed')
    assert.deepEqual(wrong, [])
  })

  test('opens from a floating button', async (t) => {
    const { page, wrong, close } = await open('data-mode="button" data-label="Make an appointment" data-lang="de"')
    t.after(close)
    await page.getByRole('button', { name: 'Make an appointment' }).click()
    await page.frameLocator('iframe').getByRole('heading', { name: 'Termin buchen' }).waitFor()
    await page.getByRole('button', { name: 'Schließen' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.deepEqual(wrong, [])
  })

  for (const { script = '', lang, name, close: closeName } of [
    { lang: 'de-AT', name: 'Jetzt buchen', close: 'Schließen' },
    { lang: 'es', name: 'Reservar ahora', close: 'Cerrar' },
    { lang: 'de', script: 'data-lang="fr"', name: 'Réserver', close: 'Fermer' },
    { lang: 'it', name: 'Book now', close: 'Close' },
    { lang: '', name: 'Book now', close: 'Close' },
  ])
    test(`the floating button is "${name}" on a page with lang="${lang}" ${script}`, async (t) => {
      const { page, wrong, close } = await open(`data-mode="button" data-service="plain" ${script}`, lang)
      t.after(close)
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('dialog', { name, exact: true }).getByRole('button', { name: closeName }).click()
      assert.deepEqual(wrong, [])
    })

  const popup = (slug: string) =>
    `<script src="${service.url}/embed.js" data-mode="popup" data-service="${slug}"></script>`
  const opener = (name: string, slug = '') => `<button data-daybook-open="${slug}">${name}</button>`
  for (const [place, bodyOf] of [
    ['names the service', () => popup('plain') + popup('own') + opener('Second', 'own') + opener('First', 'plain')],
    [
      'is in the same part of the page',
      () => `<div>${popup('plain')}<p>${opener('First')}</p></div><div>${popup('own')}<p>${opener('Second')}</p></div>`,
    ],
    ['precedes the script', () => opener('First') + popup('plain') + opener('Second', 'true') + popup('own')],
  ] as const)
    test(`of two pop-ups, a button opens only its own, when it ${place}`, async (t) => {
      const { page, wrong, close } = await openHost({ body: bodyOf() })
      t.after(close)
      for (const [name, service] of [
        ['First', 'plain'],
        ['Second', 'own'],
      ] as const) {
        await page.getByRole('button', { name, exact: true }).click()
        await page.frameLocator('iframe').first().getByRole('heading', { name: service, exact: true }).waitFor()
        assert.equal(await page.locator('dialog').count(), 1)
        await page.keyboard.press('Escape')
        await page.locator('dialog').waitFor({ state: 'detached' })
      }
      assert.deepEqual(wrong, [])
    })

  test('opens "My bookings" outside of the frame, which may not show that page', async (t) => {
    const sql = openSql(service)
    t.after(() => sql.close())
    const { browser: admin } = await insertSignedInUser({ server: service, sql }, 'admin')
    const from = { name: 'The clinic', address: 'desk@clinic.example' }
    const smtp = { host: '127.0.0.1', port: 9, security: 'none', user: '' }
    const edit = (change: object) => admin.post('/notifications/settings/edit/', change)
    assert.equal((await edit({ enabled: true, from, smtp })).status, 200)
    t.after(() => edit({ enabled: false }))
    const { page, wrong, close } = await open('data-lang="de"')
    t.after(close)
    await page.frameLocator('iframe').getByRole('link', { name: 'Meine Buchungen' }).click()
    await page.getByRole('heading', { name: 'Meine Buchungen' }).waitFor()
    const { origin: shown, pathname, searchParams } = new URL(page.url())
    assert.deepEqual([shown, pathname], [service.url, '/book/bookings/'])
    assert.deepEqual([searchParams.get('lang'), searchParams.get('embed')], ['de', null])
    // A page outside of a frame has a header with the name of the site.
    await page.getByRole('banner').waitFor()
    assert.deepEqual(wrong, [])
  })

  test('is not shown on a site that is not allowed', async (t) => {
    await allow([])
    t.after(() => allow([origin]))
    const { page, wrong, close } = await open('data-service="plain"')
    t.after(close)
    await page.locator('iframe').waitFor({ state: 'attached' })
    // The browser reports the refusal when the frame has loaded.
    await waitForValue(async () => wrong.some((text) => text.includes('frame-ancestors')), true)
    assert.equal(await page.frameLocator('iframe').getByRole('heading', { name: 'plain' }).count(), 0)
  })
})
