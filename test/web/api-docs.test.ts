import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { publicApi } from '../../src/contract/public-api.ts'
import { chromiumProgram, openContext, startChromium } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import { assertAccessible } from '../support/panel.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()

describe('the API documents', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    service = await startService({ site: standardSite })
    browser = await startChromium(program ?? '')
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  interface Opened {
    readonly page: Page
    readonly context: BrowserContext
    /** The errors in the browser console, the uncaught exceptions, and the URLs of requests to other origins. */
    readonly wrong: string[]
  }

  async function open(look: { width: number; colorScheme: 'light' | 'dark' }): Promise<Opened> {
    const { width, colorScheme } = look
    const context = await openContext(browser, { viewport: { width, height: 900 }, colorScheme })
    const page = await context.newPage()
    const wrong: string[] = []
    page.on('console', (message) => {
      // The browser reports each response with status 401 as an error; the test that expects this status asserts it.
      if (message.type() === 'error' && !message.text().includes('401')) wrong.push(message.text())
    })
    page.on('pageerror', (error) => wrong.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) wrong.push(request.url())
    })
    await page.goto(`${service.url}/api/docs/`)
    return { page, context, wrong }
  }

  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const) {
    test(`are accessible, ${width} pixels wide, ${colorScheme}`, async (t) => {
      const { page, context, wrong } = await open({ width, colorScheme })
      t.after(() => context.close())
      await page.evaluate("for (const form of document.querySelectorAll('details.try')) form.open = true")
      await assertAccessible(page, 'the API documents')
      assert.deepEqual(wrong, [])
    })
  }

  test('list every endpoint', async (t) => {
    const { page, context } = await open({ width: 1280, colorScheme: 'light' })
    t.after(() => context.close())
    const lines = await page.locator('main article > .line').allInnerTexts()
    const shown = lines.map((line) => line.replace(/\s+/g, ' ').split(' ').slice(0, 2).join(' '))
    assert.deepEqual(shown.toSorted(), Object.keys(publicApi).toSorted())
  })

  test('send a request with a token and without, by keyboard alone, and never store the token', async (t) => {
    const { page, context, wrong } = await open({ width: 1280, colorScheme: 'light' })
    t.after(() => context.close())
    const article = page.locator('#getServicesGet')
    const status = article.locator('.status')
    await article.locator('summary').press('Enter')
    await article.getByRole('button', { name: 'Send' }).press('Enter')
    await status.waitFor()
    await waitForValue(() => status.innerText(), /^401 /)

    await page.getByLabel('API token').fill(service.writeToken)
    await article.getByRole('button', { name: 'Send' }).press('Enter')
    await article.locator('.status.good').waitFor()
    await waitForValue(() => status.innerText(), /^200 /)
    const text = await article.locator('.answer').innerText()
    assert.match(text, /"status": "OK"/)
    assert.ok(!text.includes(service.writeToken))

    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])')
    assert.equal(kept, JSON.stringify([{}, {}, '', `${service.url}/api/docs/`]))
    await page.reload()
    await waitForValue(() => page.getByLabel('API token').inputValue(), '')
    assert.deepEqual(wrong, [])
  })

  test('send writes as dry runs by default', async (t) => {
    const { page, context } = await open({ width: 1280, colorScheme: 'light' })
    t.after(() => context.close())
    const article = page.locator('#postCustomersAdd')
    await page.getByLabel('API token').fill(service.writeToken)
    await article.locator('summary').click()
    await article.locator('textarea').fill('{"name":"Dry Run","email":"dry@example.com"}')
    await article.getByRole('button', { name: 'Send' }).click()
    await article.locator('.status.good').waitFor()
    const { text } = await service.call('GET', '/customers/get/')
    assert.ok(!text.includes('Dry Run'))
    await article.getByLabel('X-SVC-Dry-Run').selectOption('')
    await article.getByRole('button', { name: 'Send' }).click()
    await article.locator('pre').first().filter({ hasText: 'c_' }).waitFor()
    assert.ok((await service.call('GET', '/customers/get/')).text.includes('Dry Run'))
  })
})

test('the API documents load nothing from elsewhere', async (t) => {
  const service = await startService()
  t.after(() => service.kill())
  const response = await fetch(`${service.url}/api/docs`)
  const page = await response.text()
  assert.equal(response.status, 200)
  const policy = response.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none';/)
  assert.doesNotMatch(policy, /unsafe|\*|http|data:/)
  assert.doesNotMatch(page, /<style| style=|<script>| on[a-z]+=/)
  const script = readFileSync('web/api-docs/page.js', 'utf8')
  assert.doesNotMatch(script, /localStorage|sessionStorage|cookie|indexedDB|innerHTML/)
})
