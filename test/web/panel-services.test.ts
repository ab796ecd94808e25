import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumProgram, startChromium } from '../support/chromium.ts'
import { now, standardSite } from '../support/clinic.ts'
import { addPerson, assertFit, go, openPanel, type Panel, signIn } from '../support/panel.ts'
import { type Service, startService } from '../support/service.ts'

const program = chromiumProgram()
const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>{{name}} \u202Eright'
const site = {
  ...standardSite,
  services: [{ key: 'hostile', name: hostile, description: hostile, color: 'red' }, ...standardSite.services],
}

describe('services and Why (not)? in the panel', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: Service
  let browser: Browser
  let ids: ReadonlyMap<string, string>
  before(async () => {
    service = await startService({ site, now })
    await addPerson(service, 'admin')
    await addPerson(service, 'manager')
    await addPerson(service, 'provider', 1)
    browser = await startChromium(program ?? '')
    const { body } = await service.call('GET', '/services/get/')
    ids = new Map(body.response.map(({ name, id }) => [String(name), id]))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const enter = async (email: string, look: Parameters<typeof openPanel>[3] = {}): Promise<Panel> => {
    const panel = await openPanel(browser, service, '/', look)
    await signIn(panel.page, email)
    return panel
  }
  const why = (name: string, more: string): string => `/why?serviceId=${ids.get(name)}&providerId=1&${more}`

  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const)
    test(`are fit for everybody, ${width} pixels wide, ${colorScheme}`, async (t) => {
      const { page, context, wrong } = await enter('manager@clinic.example', { width, colorScheme })
      t.after(() => context.close())
      await go(page, '/services')
      await page.getByText(hostile).first().waitFor()
      await assertFit(page, 'services')
      await page.getByRole('button', { name: hostile }).first().click()
      const preview = page.getByRole('region', { name: 'Preview' })
      await preview.getByText('09:00–10:00').first().waitFor()
      await shown(page)
      await assertFit(page, 'one service')
      await page.keyboard.press('Escape')
      await page.goto(`${service.url}/admin${why('hostile', 'date=2026-10-07')}`)
      await page.getByRole('button', { name: /09:00.10:00/ }).click()
      await page.getByText('No time off is in the way.').waitFor()
      await shown(page)
      await assertFit(page, 'why')
      assert.deepEqual(wrong, [])
    })

  test('a setting shows in the preview before it is saved, is saved, and taken back', async (t) => {
    const { page, context, wrong } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await go(page, '/services')
    await page.getByRole('button', { name: 'plain', exact: true }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('48 slots, in Europe/Berlin').waitFor()
    assert.equal(await preview.getByRole('textbox', { name: 'Day' }).inputValue(), '2026-10-06')
    await page.getByLabel('Interval').fill('60')
    await preview.getByText('24 slots, in Europe/Berlin').waitFor()
    assert.equal(await page.getByText('09:30–10:00').count(), 0)
    assert.equal(await intervalOf(service), null)
    await page.getByLabel('Duration').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a number.').waitFor()
    await page.getByLabel('Duration').fill('30')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    assert.equal(await intervalOf(service), 60)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'plain', exact: true }).click()
    await preview.getByText('48 slots, in Europe/Berlin').waitFor()
    assert.equal(await intervalOf(service), null)
    assert.deepEqual(wrong, [])
  })

  test('by keyboard alone a service is added and no longer offered', async (t) => {
    const { page, context, wrong } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await go(page, '/services')
    await page.keyboard.press('Control+K')
    await page.getByLabel('Search and commands').last().waitFor()
    await page.keyboard.type('Add a service')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Add a service' }).getByLabel('Name').waitFor()
    await page.keyboard.type('Night watch')
    await page.keyboard.press('Enter')
    await page.getByText('Night watch is added. It can be booked from now on.').waitFor()
    const actions = page.getByRole('button', { name: 'Actions for Night watch' })
    await actions.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'No longer offer' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Night watch is no longer offered. Reservations stay as they are.').waitFor()
    await page
      .getByRole('row', { name: /Night watch/ })
      .getByText('Not offered')
      .waitFor()
    assert.deepEqual(wrong, [])
  })

  test('a provider asks about the own calendar, and has no services to edit', async (t) => {
    const { page, context, wrong } = await enter('provider@clinic.example')
    t.after(() => context.close())
    await page.getByRole('link', { name: 'Why (not)?' }).first().click()
    await page.getByText(/times can be booked/).waitFor()
    await page.getByRole('combobox', { name: 'Provider' }).click()
    assert.deepEqual(await page.getByRole('option').allInnerTexts(), ['Ana'])
    await go(page, '/services')
    await page.getByRole('heading', { name: 'Not for your role' }).waitFor()
    assert.deepEqual(wrong, [])
  })
})

/** Waits until nothing on the page moves any more: what is half faded in has not its own contrast. */
async function shown(page: Page): Promise<void> {
  await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished))')
}

async function intervalOf(service: Service): Promise<unknown> {
  const { body } = await service.call('GET', '/services/get/', { query: { full: true } })
  const data: unknown = body.response.find(({ name }) => name === 'plain')?.data
  return new Map(Object.entries(Object(data))).get('intervalMinutes')
}
