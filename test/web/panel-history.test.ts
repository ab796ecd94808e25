import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumProgram, startChromium } from '../support/chromium.ts'
import { ana, now, standardSite } from '../support/clinic.ts'
import { addUser, assertAccessible, navigate, openPanel } from '../support/panel.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>{{name}} \u202Eright'
const site = {
  ...standardSite,
  customers: [{ key: 'hostile', name: 'Ida', email: 'ida@example.com' }],
  reservations: [
    {
      key: 'one',
      customer: 'hostile',
      start: '2026-10-06T09:00',
      service: 'plain',
      provider: ana,
      status: 'confirmed',
    },
  ],
}

describe('the history in the panel', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  let reservation: string
  before(async () => {
    service = await startService({ site, now })
    await addUser(service, 'admin')
    await addUser(service, 'manager')
    browser = await startChromium(program ?? '')
    const customer = await idOf('/customers/get/')
    reservation = await idOf('/reservations/get/')
    const { status, text } = await service.call('POST', '/customers/edit/', { body: { id: customer, name: hostile } })
    assert.equal(status, 200, text)
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const idOf = async (path: string): Promise<string> => (await service.call('GET', path)).body.response[0]?.id ?? ''
  const entry = (page: Page, type: string) => page.getByRole('button', { name: type, exact: true })
  const undoing = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Undo this change' })
  /** Opens the newest entry of a type and requests its undo, by keyboard. */
  const undo = async (page: Page, type: string): Promise<void> => {
    // A dialog returns the focus when it has closed, which could interfere with the next key.
    await page.getByRole('dialog').first().waitFor({ state: 'hidden' })
    await entry(page, type).first().press('Enter')
    await undoing(page).press('Enter')
  }

  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const)
    test(`is accessible, ${width} pixels wide, ${colorScheme}`, async (t) => {
      const { page, context, errors } = await openPanel(browser, service, '/start', {
        as: 'manager@clinic.example',
        width,
        colorScheme,
      })
      t.after(() => context.close())
      await navigate(page, '/settings/history')
      await entry(page, 'Customer changed').first().click()
      await page.getByRole('dialog').getByText(hostile).first().waitFor()
      await undoing(page).waitFor()
      await assertAccessible(page, 'an entry')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await entry(page, 'Reservation added').click()
      await undoing(page).click()
      const dialog = page.getByRole('dialog', { name: 'Remove what was added?' })
      await dialog.getByRole('button', { name: 'Remove' }).waitFor()
      await assertAccessible(page, 'the question before a removal')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      assert.deepEqual(errors, [])
    })

  test('by keyboard a change is undone, with confirmation when it changes an appointment; a refusal is explained', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/start', { as: 'manager@clinic.example' })
    t.after(() => context.close())
    await navigate(page, '/settings/history')
    await undo(page, 'Customer changed')
    await page.getByText(`Undone: Customer changed, ${hostile}.`).waitFor()
    await entry(page, 'Customer changed Undone').waitFor()
    assert.equal((await service.call('GET', '/customers/get/')).body.response[0]?.name, 'Ida')
    await entry(page, 'Customer changed').first().press('Enter')
    await page.getByText('This entry undid an earlier change.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    const statusIs = async (status: string): Promise<void> => {
      const { body } = await service.call('GET', '/reservations/get/')
      assert.equal(body.response[0]?.status, status)
    }
    const set = async (status: string): Promise<void> => {
      const response = await service.call('POST', '/reservations/edit/', { body: { id: reservation, status } })
      assert.equal(response.status, 200, response.text)
    }
    await set('cancelled')
    await undo(page, 'Reservation cancelled')
    await page.getByText('Undone: Reservation cancelled, Ida.').waitFor()
    await statusIs('confirmed')
    await undo(page, 'Reservation restored')
    const asked = page.getByRole('dialog', { name: 'Cancel the reservation again?' })
    await asked.locator('button:focus', { hasText: 'Cancel reservation' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Undone: Reservation restored, Ida.').waitFor()
    await statusIs('cancelled')
    await entry(page, 'Reservation restored Undone').press('Enter')
    await page.getByText('This change was already undone.').waitFor()
    await waitForValue(() => undoing(page).count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await set('confirmed')
    await set('cancelled')
    await undo(page, 'Reservation restored')
    await asked.locator('button:focus', { hasText: 'Cancel reservation' }).waitFor()
    await page.keyboard.press('Enter')
    await asked
      .getByRole('alert')
      .getByText(/^Changed again since: Status\./)
      .waitFor()
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'hidden' })
    await navigate(page, `/settings/history?type=token`)
    await entry(page, 'API token created').first().press('Enter')
    await page.getByText('A token cannot be changed; create another one.').waitFor()
    await waitForValue(() => undoing(page).count(), 0)
    await page.getByRole('button', { name: 'All changes to this object' }).press('Enter')
    await waitForValue(() => entry(page, 'API token created').count(), 1)
    assert.match(new URL(page.url()).searchParams.get('objectId') ?? '', /^tok_/)
    assert.deepEqual(errors, [])
  })

  test('is filtered by the names of what was changed and of who changed it', async (t) => {
    const body = { name: 'Yves Known', email: 'yves@list.example' }
    const { id } = (await service.call('POST', '/customers/add/', { body })).body
    const look = { as: 'manager@clinic.example' }
    const { page, context, errors } = await openPanel(browser, service, '/settings/history', look)
    t.after(() => context.close())
    const [object, actor] = [
      page.getByRole('combobox', { name: 'Object', exact: true }),
      page.getByRole('combobox', { name: 'By', exact: true }),
    ]
    await object.fill('Yves')
    await page.getByRole('option', { name: 'Yves Known', exact: true }).click()
    await waitForValue(async () => new URL(page.url()).searchParams.get('objectId'), id)
    await waitForValue(() => entry(page, 'Customer added').count(), 1)
    await assertAccessible(page, 'the history of one customer')
    await object.fill('Ana')
    await page.getByRole('option', { name: 'Ana', exact: true }).click()
    await page.waitForURL(/objectId=1&type=provider|type=provider&objectId=1/)
    await actor.click()
    await page.getByRole('option', { name: 'manager', exact: true }).click()
    await page.waitForURL(/actor=u_manager/)
    await page.reload()
    await waitForValue(() => Promise.all([object.inputValue(), actor.inputValue()]), ['Ana', 'manager'])
    assert.deepEqual(errors, [])
  })

  test('a removed customer is erased from the entry of the removal', async (t) => {
    const body = { name: 'Zora Unwanted', email: 'zora@list.example' }
    const { id } = (await service.call('POST', '/customers/add/', { body })).body
    assert.equal((await service.call('POST', '/customers/remove/', { query: { id } })).status, 200)
    const look = { as: 'manager@clinic.example' }
    const { page, context, errors } = await openPanel(browser, service, '/settings/history?type=customer', look)
    t.after(() => context.close())
    await entry(page, 'Customer deleted').first().click()
    await page.getByRole('button', { name: 'Erase personal data…' }).click()
    const asked = page.getByRole('dialog', { name: 'Erase the data of Zora Unwanted?' })
    await asked.getByRole('button', { name: 'Erase permanently' }).click()
    await asked.waitFor({ state: 'hidden' })
    const { text } = await service.call('GET', '/events/get/', { query: { limit: 500 } })
    assert.ok(!text.includes('Zora'))
    assert.deepEqual(errors, [])
  })
})
