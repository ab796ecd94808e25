import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { BookingVisitor } from '../support/booking-visitor.ts'
import { chromiumProgram, openContext, startChromium } from '../support/chromium.ts'
import { now, standardSite } from '../support/clinic.ts'
import { type ServiceProcess, startService } from '../support/service.ts'

const program = chromiumProgram()

describe('people and time zone on the calendar of the booking page', {
  skip: program ? false : 'Chromium is not installed',
}, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    service = await startService({ site: standardSite, now })
    browser = await startChromium(program ?? '')
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  async function visit(t: TestContext, path: string): Promise<Page> {
    const context = await openContext(browser, { timezoneId: 'Europe/Berlin', locale: 'en-GB' })
    t.after(() => context.close())
    const page = await context.newPage()
    await page.goto(service.url + path)
    return page
  }

  for (const { label, value, shown, date } of [
    { label: 'People', value: '2', shown: '[name=guest2name]', date: '2026-10-22' },
    { label: 'Time zone', value: 'Asia/Tokyo', shown: 'text=Japan Standard Time (Asia/Tokyo)', date: '2026-10-23' },
  ])
    test(`after a time that was just taken, "${label}" counts for the next one, and the alternatives go`, async (t) => {
      const path = `/book/group/?with=1&date=${date}`
      const page = await visit(t, path)
      const rival = new BookingVisitor(service.url)
      await rival.choose(await rival.open(`${path}&seats=3`))
      await page.locator('button.time').first().click()
      const alternatives = page.getByRole('heading', { name: 'Other free times' })
      await alternatives.waitFor()
      const control = await page.getByLabel(label).elementHandle()
      await control?.selectOption(value)
      // The control is replaced together with the calendar.
      await control?.waitForElementState('hidden')
      assert.equal(await alternatives.count(), 0)
      await page.locator('button.time').first().click()
      await page.locator('button[value=details]').waitFor()
      assert.equal(await page.locator(shown).count(), 1)
    })

  test('the focus stays on the control with which people or time zone were changed', async (t) => {
    const page = await visit(t, '/book/group/?with=1&date=2026-10-24')
    for (const [label, name, value] of [
      ['People', 'seats', '2'],
      ['Time zone', 'zone', 'Asia/Tokyo'],
    ] as const) {
      const control = await page.getByLabel(label).elementHandle()
      await control?.focus()
      await control?.selectOption(value)
      await control?.waitForElementState('hidden')
      assert.equal(await page.evaluate('document.activeElement.name'), name)
    }
  })
})
