import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { now, standardSite } from '../support/clinic.ts'
import {
  assertAccessible,
  assertMenuReadable,
  navigate,
  openPanel,
  type PanelPage,
  pressUndo,
  runCommand,
  startPanelService,
} from '../support/panel.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>{{name}} \u202Eright'
const site = {
  ...standardSite,
  services: [{ key: 'hostile', name: hostile, description: hostile, color: 'red' }, ...standardSite.services],
}

describe('services and Why (not)? in the panel', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  let ids: ReadonlyMap<string, string>
  before(async () => {
    ;({ service, browser } = await startPanelService({ site, now }, 1))
    const { body } = await service.call('GET', '/services/get/')
    ids = new Map(body.response.map(({ name, id }) => [String(name), id]))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const enter = async (email: string, look: Parameters<typeof openPanel>[3] = {}): Promise<PanelPage> => {
    return openPanel(browser, service, '/start', { ...look, as: email })
  }
  const why = (name: string, more: string): string => `/why?serviceId=${ids.get(name)}&providerId=1&${more}`

  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const)
    test(`are accessible, ${width} pixels wide, ${colorScheme}`, async (t) => {
      const { page, context, errors } = await enter('manager@clinic.example', { width, colorScheme })
      t.after(() => context.close())
      await navigate(page, '/services')
      await page.getByText(hostile).first().waitFor()
      await assertAccessible(page, 'services')
      await assertMenuReadable(page, 'Actions for weighted')
      await page.getByRole('button', { name: hostile }).first().click()
      const preview = page.getByRole('region', { name: 'Preview' })
      await preview.getByText('09:00–10:00').first().waitFor()
      await assertAccessible(page, 'one service')
      await page.keyboard.press('Escape')
      await navigate(page, why('hostile', 'date=2026-10-07'))
      await page.getByRole('button', { name: /09:00.10:00/ }).click()
      await page.getByText('The provider has no time off at this time.').waitFor()
      await assertAccessible(page, 'why')
      await navigate(page, `/services/fairness?serviceId=${ids.get('weighted')}`)
      await page.getByRole('table', { name: 'Shares' }).waitFor()
      await assertAccessible(page, 'who got what')
      assert.deepEqual(errors, [])
    })

  test('the fairness report opens from the routing, by keyboard, with the reason of each assignment', async (t) => {
    // The query starts at midnight in Berlin three days ahead, a date on which no other test books.
    const from = now + 3 * 86_400 - 8 * 3_600
    const window = { min_timestamp: from, max_timestamp: from + 86_400 }
    const query = { ...window, services: ids.get('weighted') ?? '' }
    const slot: object = Object((await service.call('GET', '/availability/get/', { query })).body.response[0])
    const customerId = (await service.call('GET', '/customers/get/')).body.response[0]?.id
    const added = await service.call('POST', '/reservations/add/', { body: { ...slot, customerId } })
    assert.equal(added.status, 200, added.text)
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await navigate(page, '/services')
    await page.getByRole('button', { name: 'Actions for weighted' }).focus()
    await page.keyboard.press('Enter')
    // An opened menu takes the focus in a timer, also from the item that has it already.
    await page.getByRole('menu').locator(':focus').waitFor({ state: 'attached' })
    await page.getByRole('menuitem', { name: 'Fair-share report' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'Shares' }).waitFor()
    await page.getByText('No reservations start in this period.').waitFor()
    await page.getByRole('combobox', { name: 'Period' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'Next 7 days' }).click()
    await page.getByText('Ana was furthest below the share set by the weights.').waitFor()
    await page.getByText('Provider Ana is furthest below its share: weight').waitFor()
    // Ana has half of the sum of the weights, so weighted routing gives her the first reservation, although her
    // expected share of one reservation is 0.5.
    const row = page.getByRole('row', { name: /Ana/ })
    assert.deepEqual((await row.getByRole('cell').allInnerTexts()).slice(0, 7), [
      '2',
      '50%',
      '1',
      '',
      '0.5',
      '+0.5',
      '1',
    ])
    await page.getByRole('link', { name: /8 Oct 2026/ }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Fair-share report' }).click()
    await page.getByRole('heading', { level: 1, name: 'Fair-share report' }).waitFor()
    await waitForValue(async () => new URL(page.url()).searchParams.get('serviceId'), ids.get('weighted'))
    assert.deepEqual(errors, [])
  })

  test('the fairness report opens with a service that is routed, and has no reasons for one that is not', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await navigate(page, '/services/fairness')
    await page.getByRole('region', { name: 'Reasons' }).waitFor()
    const choice = page.getByRole('combobox', { name: 'Service' })
    assert.notEqual(await choice.inputValue(), hostile)
    await choice.fill('plain')
    await page.getByRole('option', { name: 'plain', exact: true }).click()
    await page.getByText('Customer chooses').waitFor()
    assert.equal(await page.getByRole('region', { name: 'Reasons' }).count(), 0)
    assert.deepEqual(errors, [])
  })

  test('a setting is previewed before it is saved, saved, and undone', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await navigate(page, '/services')
    await page.getByRole('button', { name: 'plain', exact: true }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('48 slots, in Europe/Berlin').waitFor()
    await waitForValue(() => preview.getByRole('textbox', { name: 'Day' }).inputValue(), '06/10/2026')
    await page.getByLabel('Start interval').fill('60')
    await preview.getByText('24 slots, in Europe/Berlin').waitFor()
    await waitForValue(() => page.getByText('09:30–10:00').count(), 0)
    assert.equal(await intervalOf(service), null)
    await page.getByLabel('Duration').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a number.').waitFor()
    await page.getByLabel('Duration').fill('30')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    assert.equal(await intervalOf(service), 60)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'plain', exact: true }).click()
    await preview.getByText('48 slots, in Europe/Berlin').waitFor()
    assert.equal(await intervalOf(service), null)
    assert.deepEqual(errors, [])
  })

  test('a provider is ticked inside a service, saved at once, and it is undone', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await navigate(page, `/services?open=${ids.get('long')}`)
    const cleo = page.getByRole('group', { name: 'Offered by' }).getByRole('checkbox', { name: 'Cleo', exact: true })
    assert.equal(await cleo.isChecked(), false)
    await cleo.click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    await waitForValue(() => cleo.isChecked(), true)
    await pressUndo(page, 'Saved.')
    await waitForValue(() => cleo.isChecked(), false)
    assert.deepEqual(errors, [])
  })

  test('by keyboard alone a service is added and disabled, and a refused undo says why', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await navigate(page, '/services')
    await runCommand(page, 'Add service')
    await page.getByRole('dialog', { name: 'Add service' }).getByLabel('Name').waitFor()
    await page.getByRole('dialog', { name: 'Add service' }).locator('input:focus').waitFor()
    await page.keyboard.type('Night watch')
    await page.keyboard.press('Enter')
    await page.getByText('Night watch was added and can be booked.').waitFor()
    const actions = page.getByRole('button', { name: 'Actions for Night watch' })
    await actions.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menu').locator(':focus').waitFor({ state: 'attached' })
    await page.getByRole('menuitem', { name: 'Stop taking bookings' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Night watch takes no new bookings. Existing ones stay.').waitFor()
    await page
      .getByRole('row', { name: /Night watch/ })
      .getByText('Not bookable')
      .waitFor()
    const { body } = await service.call('GET', '/services/get/')
    const { id } = body.response.find(({ name }) => name === 'Night watch') ?? {}
    await service.call('POST', '/services/remove/', { query: { id: String(id) } })
    await pressUndo(page, 'Night watch takes no new bookings.')
    await page.getByRole('alert').getByText('No service has this id.').waitFor()
    assert.deepEqual(errors, [])
  })

  test('an unavailable time has an explanation that links to the setting', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await navigate(page, why('lead', 'date=2026-10-05'))
    await page.getByText('0 of 16 times can be booked').waitFor()
    await page.getByText('Times in Europe/Berlin, the provider’s time zone').waitFor()
    await page.getByText(/earliest start is 2026-10-06 08:\d\d \(Europe\/Berlin\)/).waitFor()
    assert.equal(await page.getByText(/earliest start is/).count(), 1, 'a reason for the whole day is stated once')
    await page.getByRole('button', { name: /15:00–15:30 Too short notice/ }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: /Minimum notice · 6 Oct 2026, 08:\d\d/ })
      .waitFor()
    await page.getByRole('link', { name: 'Minimum notice' }).click()
    const field = page.getByRole('dialog', { name: 'Edit lead' }).getByLabel('Minimum notice')
    await field.waitFor()
    await waitForValue(() => field.inputValue(), '1440 min')
    await page.locator('[data-autofocus]:focus').waitFor()
    assert.deepEqual(errors, [])
  })

  test('the role provider explains their own calendar, and has no services to edit', async (t) => {
    const { page, context, errors } = await enter('provider@clinic.example')
    t.after(() => context.close())
    await page.getByRole('link', { name: 'Why (not)?' }).first().click()
    await page.getByText(/times can be booked/).waitFor()
    await page.getByRole('combobox', { name: 'Provider' }).click()
    await waitForValue(() => page.getByRole('option').allInnerTexts(), ['Ana'])
    await navigate(page, '/services')
    await page.getByRole('heading', { name: 'No access' }).waitFor()
    await navigate(page, '/services/fairness')
    await page.getByRole('heading', { name: 'No access' }).waitFor()
    assert.deepEqual(errors, [])
  })

  test('language and currency of the site are chosen by name, or by a tag with a region', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await navigate(page, '/settings/site')
    const [language, currency] = ['Language', 'Currency'].map((name) => page.getByRole('combobox', { name }))
    await waitForValue(
      async () => [await language?.inputValue(), await currency?.inputValue()],
      ['English (en)', 'Euro (EUR)'],
    )
    await currency?.fill('swiss fr')
    await page.getByRole('option', { name: 'Swiss Franc (CHF)' }).click()
    // Letters alone search for a name, and are no tag: Enter would otherwise choose a language without texts.
    await language?.fill('deu')
    await waitForValue(() => page.getByRole('option').count(), 0)
    await language?.fill('de-at')
    await page.getByRole('option', { name: 'Austrian German (de-AT)' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: false }).first().waitFor()
    await page.reload()
    await waitForValue(
      async () => [await language?.inputValue(), await currency?.inputValue()],
      ['Austrian German (de-AT)', 'Swiss Franc (CHF)'],
    )
    assert.deepEqual(errors, [])
  })

  test('a refusal and a verdict stand in the language of the panel, also where that is chosen later', async (t) => {
    const { page, context, errors } = await enter('manager@clinic.example')
    t.after(() => context.close())
    await navigate(page, '/settings/site')
    await page.getByRole('textbox', { name: 'Web address' }).fill('ftp://x')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const beside = page.locator('[class*=InputWrapper-error]')
    await beside.getByText('Must be an address that starts with http:// or https://.').waitFor()
    await page.getByRole('button', { name: /^Time zone, appearance, language/ }).click()
    await page.getByRole('menuitem', { name: 'Deutsch' }).click()
    await beside.getByText('Muss eine Adresse mit http:// oder https:// am Anfang sein.').waitFor()
    await navigate(page, why('plain', 'date=2026-10-07'))
    await page.getByRole('button', { name: /09:00.09:30/ }).click()
    await page.getByText(/^Der Beginn liegt nicht vor dem frühestmöglichen, 2026-\d\d-/).waitFor()
    assert.deepEqual(errors, [])
  })
})

async function intervalOf(service: ServiceProcess): Promise<unknown> {
  const { body } = await service.call('GET', '/services/get/', { query: { full: true } })
  const data: unknown = body.response.find(({ name }) => name === 'plain')?.data
  return new Map(Object.entries(Object(data))).get('intervalMinutes')
}
