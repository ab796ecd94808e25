import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { ana } from '../support/clinic.ts'
import { openPanel, startPanelService } from '../support/panel.ts'
import { panelRoutes } from '../support/panel-routes.ts'
import { opensAt, practice } from '../support/practice.ts'
import type { ServiceProcess } from '../support/service.ts'

const { signedIn, signedOut } = panelRoutes()
/** The largest sum of layout shift scores that a page may have while it loads; users notice larger shifts. */
const most = 0.02
/** Milliseconds by which each response is late, as on a slow line, so that data arrives after the page was drawn. */
const latency = 150
/**
 * Milliseconds without a request after which a page counts as loaded; ten times as long while an element is
 * `aria-busy`.
 */
const quiet = 400

// A script that runs in each page before the page's own scripts. It records the layout shifts, and defines `settled`,
// which waits until the page has loaded.
const observe = `
  shifts = []
  pending = 0
  changedAt = performance.now()
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) shifts.push([value, sources.map(({ node, currentRect }) =>
        [Math.round(currentRect.y), String(node?.outerHTML ?? node?.textContent).slice(0, 90)].join(' '))])
  }).observe({ type: 'layout-shift', buffered: true })
  const send = fetch
  fetch = (...request) => {
    pending += 1
    changedAt = performance.now()
    return send(...request).finally(() => {
      pending -= 1
      changedAt = performance.now()
    })
  }
  // A skeleton that stays for long after the last answer is not waited for.
  settled = () => new Promise((done) => {
    const look = () => {
      const calm = pending === 0 ? performance.now() - changedAt : 0
      const busy = document.querySelector('[aria-busy=true]') !== null
      if (document.readyState === 'complete' && calm > (busy ? ${quiet * 10} : ${quiet})) done()
      else requestAnimationFrame(look)
    }
    look()
  })`

describe('the layout of every page', {
  skip: chromiumProgram() ? false : 'Chromium is not installed',
  timeout: 900_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: practice, now: opensAt }, ana))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  /** Returns the sum of the layout shift scores while a page loads, and a description of the elements that moved. */
  const shiftOf = async (page: Page, path: string): Promise<readonly [number, string]> => {
    await page.goto(`${service.url}/admin${path}`)
    await page.locator('h1').waitFor()
    await page.evaluate('settled()')
    const shifts = (await page.evaluate('shifts')) as [number, readonly string[]][]
    const sum = shifts.reduce((total, [value]) => total + value, 0)
    return [sum, shifts.map(([value, moved]) => `${value.toFixed(4)}: ${moved.join(', ')}`).join('\n    ')]
  }

  for (const width of [1280, 390])
    for (const [who, as, paths] of [
      ['administrators', 'admin@clinic.example', signedIn],
      ['providers', 'provider@clinic.example', ['/today', '/calendar', '/hours']],
      ['nobody', undefined, signedOut],
    ] as const)
      test(`does not shift while it loads, for ${who}, ${width} pixels wide`, async (t) => {
        const { page, context } = await openPanel(browser, service, '/sign-in', {
          width,
          alone: true,
          ...(as && { as }),
        })
        t.after(() => context.close())
        await page.addInitScript(observe)
        const line = await page.context().newCDPSession(page)
        const speed = { downloadThroughput: -1, uploadThroughput: -1 }
        await line.send('Network.enable')
        await line.send('Network.emulateNetworkConditions', { offline: false, latency, ...speed })
        const shifting: string[] = []
        for (const path of paths) {
          const [sum, sources] = await shiftOf(page, path)
          if (sum > most) shifting.push(`${path} ${sum.toFixed(4)}\n    ${sources}`)
        }
        assert.equal(shifting.join('\n'), '')
      })
})
