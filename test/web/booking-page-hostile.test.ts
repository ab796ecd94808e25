import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { BookingVisitor, fieldOf, type HtmlPage } from '../support/booking-visitor.ts'
import { chromiumProgram, startChromium } from '../support/chromium.ts'
import { now, standardSite } from '../support/clinic.ts'
import { proved } from '../support/proof.ts'
import { seed, seededRandom } from '../support/scale.ts'
import { type ServiceProcess, startService } from '../support/service.ts'

const program = chromiumProgram()
const count = 1_000

// A payload that contains code sets the property `canary` of the top window when the browser executes the code.
const run = "top.canary='yes'"
const payloads = [
  `<script>${run}</script>`,
  `"><img src=x onerror="${run}">`,
  `'><svg/onload=${run}>`,
  `</title></textarea></select></style></script><script>${run}</script>`,
  `<iframe srcdoc="<script>${run}</script>">`,
  `javascript:${run}//`,
  `" autofocus onfocus="${run}" x="`,
  `\${${run}}{{constructor.constructor("${run}")()}}`,
  `<!--><img src=x onerror=${run}>-->`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `\u2028<script>${run}</script>\u2029`,
  `%3Cscript%3E${encodeURIComponent(run)}%3C/script%3E`,
  '\u0000\u0001\u202e\ufeff<b>',
  '../../../../etc/passwd',
  "' or '1'='1'; drop table reservation; --",
  '99999999999999999999999999',
  '-1',
  'NaN',
  '{"__proto__":{"x":1}}',
  'x'.repeat(20_000),
  '\ud800',
  '🙂'.repeat(500),
]

const form = [
  { key: 'text', label: 'Text', kind: 'text' },
  { key: 'long', label: 'Long', kind: 'long_text' },
  { key: 'one', label: 'One', kind: 'choice', options: ['A', 'B'] },
  { key: 'many', label: 'Many', kind: 'choices', options: ['A', 'B'] },
  { key: 'number', label: 'Number', kind: 'number' },
  { key: 'date', label: 'Date', kind: 'date' },
]
const site = {
  ...standardSite,
  services: [...standardSite.services, { key: 'asks', name: 'Asks', durationMinutes: 30, capacity: 50, form }],
}

const fields = [
  ...['name', 'email', 'phone', 'country', 'guest2name', 'guest2email', 'consent', 'terms', 'website', 'price'],
  ...['a.text', 'a.long', 'a.one', 'a.many', 'a.number', 'a.date', 'a.__proto__', 'a.unknown'],
  ...['form', 'held', 'slot', 'step', 'go', 'lang', 'zone', 'with', 'seats', 'month', 'date', 'embed'],
  ...['utm_source', 'utm_campaign', 'referrer', 'quiet'],
]

describe('hostile input to the booking page', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    service = await startService({ site, now })
    browser = await startChromium(program ?? '')
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  test(`${count} inputs execute no script and cause no fault`, { timeout: 600_000 }, async (t) => {
    const random = seededRandom(seed)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const statuses = new Map<number, number>()
    const pages: string[] = []
    const keep = ({ status, html }: HtmlPage) => {
      assert.ok(status < 500, `status ${status}`)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      pages.push(html)
    }
    for (let index = 0; index < count; index += 1) {
      const visitor = new BookingVisitor(service.url, { localAddress: `127.0.6.${1 + (index % 250)}` })
      const hostile = Array.from(
        { length: 1 + Math.floor(random() * 3) },
        () => [pick(fields), pick(payloads)] as const,
      )
      const path = pick(['/book/asks/', '/book/plain/', '/book/', '/book/with/ana/', '/manage/'])
      if (index % 3 === 0 || !/asks|plain/.test(path)) {
        const query = new URLSearchParams(hostile.map(([name, value]) => [name, value.slice(0, 2_000)]))
        keep(
          await visitor.open(`${path}?${query}`, {
            Referer: `http://evil.example/${encodeURIComponent(pick(payloads).toWellFormed().slice(0, 500))}`,
          }),
        )
        continue
      }
      const month = await visitor.open(`${path}?with=1&date=2026-10-2${index % 9}`)
      const slot = month.forms.flatMap(({ buttons }) => buttons).find(({ name }) => name === 'slot')?.value ?? ''
      const sent = new URLSearchParams({
        form: fieldOf(month, 'form'),
        held: slot,
        slot,
        step: pick(['choose', 'details', 'book', 'edit', 'extend', 'release']),
        name: 'Ada',
        email: `a${index}@example.org`,
      })
      for (const [name, value] of hostile) sent.set(name, value)
      keep(await visitor.post(path, sent))
    }
    const page = await (await browser.newContext()).newPage()
    await page.goto('about:blank')
    const batch = 50
    for (let at = 0; at < pages.length; at += batch)
      await page.evaluate(
        `Promise.all(${JSON.stringify(pages.slice(at, at + batch)).replace(/</g, '\\u003c')}.map((html) => new Promise((done) => {
          const frame = document.createElement('iframe')
          frame.addEventListener('load', () => { frame.remove(); done() })
          frame.srcdoc = html
          document.body.append(frame)
        })))`,
      )
    assert.equal(await page.evaluate('window.canary'), undefined)
    // To show that `canary` reveals an execution, the page now executes a payload that is not escaped.
    await page.evaluate(
      `new Promise((done) => { const frame = document.createElement('iframe'); frame.srcdoc = ${JSON.stringify(`<img src=x onerror="${run}">`).replace(/</g, '\\u003c')}; document.body.append(frame); const look = () => window.canary ? done() : setTimeout(look, 5); look() })`,
    )
    assert.equal(await page.evaluate('window.canary'), 'yes')
    const stored = await service.call('GET', '/reservations/get/')
    assert.equal(stored.status, 200)
    proved(t, 'booking page hostile inputs', { inputs: count, ...Object.fromEntries(statuses) })
  })
})
