import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { now } from '../support/clinic.ts'
import { navigate, openPanel, startPanelService } from '../support/panel.ts'
import type { ServiceProcess } from '../support/service.ts'
import { at, present } from '../support/test-site.ts'

// Texts that set `window.gotcha`, or send a request to another origin, when the browser interprets them instead of
// showing them.
const run = "window.gotcha='yes'"
const corpus = [
  `<script>${run}</script>`,
  `"><img src=x onerror="${run}">`,
  `'><svg/onload=${run}>`,
  `</title></textarea></style><script>${run}</script>`,
  `<iframe srcdoc="<script>parent.gotcha='yes'</script>">`,
  `<a href="javascript:${run}">link</a>`,
  `javascript:${run}//`,
  `" autofocus onfocus="${run}" x="`,
  `<math><mi xlink:href="data:x,<script>${run}</script>">`,
  `<style>@import 'https://evil.example/x.css';</style>`,
  `{{constructor.constructor("${run}")()}} $t(common.save) \${${run}}`,
  `<!--><img src=https://evil.example/x onerror=${run}>-->`,
  `\u202Eright\u202C <b>${'&lt;'}script&gt;${run}</b>`,
]
const nth = (index: number): string => corpus[index % corpus.length] ?? ''

const field = { key: 'asked', label: nth(0), help: nth(1), kind: 'choice', options: [nth(2), nth(3)] }
const site = {
  site: {
    name: nth(1),
    timezone: 'Europe/Berlin',
    holidays: corpus.map((name, index) => ({ from: '2027-01-01', to: `2027-01-${index + 10}`, name })),
  },
  services: corpus.map((name, index) => ({
    key: `s${index}`,
    name,
    description: nth(index + 1),
    routingMode: 'round_robin',
    form: [field],
    data: { [nth(index + 2)]: nth(index + 3) },
  })),
  providers: corpus.map((name, index) => ({
    key: `p${index}`,
    name,
    email: `p${index}@clinic.example`,
    overrides: [
      { date: '2026-12-24', slot: { title: nth(index + 1), note: nth(index + 2), location: nth(index + 3) } },
    ],
  })),
  customers: corpus.map((name, index) => ({
    key: `c${index}`,
    name,
    email: `c${index}@example.com`,
    phone: nth(index + 1).slice(0, 50),
  })),
  reservations: corpus.map((name, index) => ({
    service: `s${index}`,
    provider: `p${index}`,
    customer: `c${index}`,
    start: '2026-10-06T09:00',
    data: { asked: name, [nth(index + 1)]: nth(index + 2), deep: [{ [name]: name }] },
  })),
}

describe('text that contains code', { skip: chromiumProgram() ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site, now }, 1))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const firstOf = async (path: string, query: Readonly<Record<string, boolean>> = {}): Promise<string> =>
    String(present((await service.call('GET', path, { query })).body.response[0]).id)

  test('is displayed as plain text on every page of the panel', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/start', { as: 'admin@clinic.example' })
    t.after(() => context.close())
    const customer = await firstOf('/customers/get/')
    const reservation = await firstOf('/reservations/get/', { past: true })
    const offered = await firstOf('/services/get/')
    for (const text of corpus) {
      await post(page, '/users/add/', { email: `${corpus.indexOf(text)}@team.example`, role: 'manager', name: text })
      await post(page, '/tokens/add/', { name: text, scope: 'read' })
      await post(page, '/customers/notes/add/', { customerId: customer, text })
      const start = at('2026-10-07T09:00') + corpus.indexOf(text) * 600
      await post(page, '/time-off/add/', { providerId: 1, start, end: start + 600, note: text })
    }
    let pageText = ''
    for (const path of [
      '/',
      '/today?period=month',
      '/calendar?date=2026-10-06',
      '/calendar?date=2026-10-07&view=week&providers=1,2',
      '/reservations?when=',
      `/reservations?open=${reservation}`,
      '/customers',
      `/customers?open=${customer}`,
      '/services',
      `/services?open=${offered}`,
      `/services/fairness?serviceId=${offered}&from=2026-10-01&to=2026-10-31`,
      '/providers',
      ...['week', 'dates', 'services', 'details'].map((part) => `/providers?open=1&part=${part}`),
      `/why?serviceId=${offered}&providerId=1&date=2026-10-06`,
      ...['site', 'policies', 'team', 'api', 'history', 'system', 'site-file'].map((part) => `/settings/${part}`),
      `/settings/history?objectId=${customer}`,
      '/profile',
      `/reservations?search=${encodeURIComponent(nth(1))}`,
    ]) {
      await navigate(page, path)
      assert.equal(await page.evaluate('window.gotcha'), undefined, path)
      assert.deepEqual(errors, [], path)
      const strange = await page.evaluate(
        `[...document.querySelectorAll('script:not([src]), iframe, [onerror], [onload], [onfocus], a[href^="javascript"]')].map((one) => one.outerHTML)`,
      )
      assert.deepEqual(strange, [], path)
      pageText += await page.evaluate('document.body.innerText')
    }
    // Every text must have been shown on one of the pages, because a text that is never shown is not tested.
    assert.deepEqual(
      corpus.filter((text) => !pageText.includes(text)),
      [],
    )
  })

  test('is displayed as plain text to a provider', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/start', { as: 'provider@clinic.example' })
    t.after(() => context.close())
    for (const path of [
      '/',
      '/today',
      '/calendar?date=2026-10-06',
      '/reservations?when=',
      '/customers',
      '/hours',
      '/why',
    ]) {
      await navigate(page, path)
      assert.equal(await page.evaluate('window.gotcha'), undefined, path)
      assert.deepEqual(errors, [], path)
    }
  })
})

/** Sends a write to the panel's API from the page of a signed-in user; fails unless the status is 200. */
async function post(page: Page, path: string, body: object): Promise<void> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const asked = `fetch('/admin/api${path}', ${JSON.stringify(init)}).then(async (answer) => [answer.status, await answer.text()])`
  const [status, text] = Object(await page.evaluate(asked))
  assert.equal(status, 200, `${path} ${text}`)
}
