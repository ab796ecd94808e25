import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, ben, now, standardSite } from '../support/clinic.ts'
import { bookForJo, navigate, openPanel, pressUndo, startPanelService } from '../support/panel.ts'
import { openProvider } from '../support/provider-hours.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
const overrides = [
  { date: '2026-12-24', hours: [] },
  { date: '2026-12-25', hours: [] },
  { date: '2026-12-27', hours: ['08:00-18:00'] },
]
const site = {
  ...standardSite,
  providers: standardSite.providers.map((one) => (one.id === ben ? { ...one, overrides } : one)),
}

describe('two users who edit the same', {
  skip: program ? false : 'Chromium is not installed',
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site, now }, ana))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const open = (role: string) => openPanel(browser, service, '/start', { as: `${role}@clinic.example`, alone: true })

  test('a service: what is typed stays, and the other fields follow', async (t) => {
    const [one, other] = [await open('admin'), await open('manager')]
    t.after(() => Promise.all([one.context.close(), other.context.close()]))
    for (const { page } of [one, other]) {
      await navigate(page, '/services')
      await page.getByRole('button', { name: 'plain', exact: true }).click()
    }
    const drawerOf = ({ page }: typeof one) => page.getByRole('dialog', { name: /plain/ })
    const description = drawerOf(one).getByLabel('Description')
    await description.fill('Bring your card')
    const capacity = drawerOf(other).getByLabel('Seats', { exact: true })
    await capacity.fill('4')
    await drawerOf(other).getByRole('button', { name: 'Save', exact: true }).click()
    await other.page.getByText('Saved.', { exact: true }).waitFor()
    await waitForValue(() => drawerOf(one).getByLabel('Seats', { exact: true }).inputValue(), '4')
    assert.equal(await description.inputValue(), 'Bring your card')
    await drawerOf(one).getByRole('button', { name: 'Save', exact: true }).click()
    await one.page.getByText('Saved.', { exact: true }).waitFor()
    const { body } = await service.call('GET', '/services/get/')
    assert.equal(body.response.find(({ name }) => name === 'plain')?.description, 'Bring your card')
    await one.page.getByRole('row', { name: /^plain .* 30 min 4 / }).waitFor()
    assert.deepEqual([...one.errors, ...other.errors], [])
  })

  test('the policies: the form shows the present holidays, and saving keeps them', async (t) => {
    const { page, context } = await open('admin')
    t.after(() => context.close())
    const other = await openPanel(browser, service, '/settings/policies', { as: 'manager@clinic.example' })
    t.after(() => other.context.close())
    await navigate(page, '/settings/policies')
    const days = (form: Page) => form.getByLabel('First day', { exact: true })
    const starts = () => days(page).evaluateAll((fields) => fields.map((one) => Object(one).value))
    const addHoliday = async (form: Page, date: string): Promise<void> => {
      await form.getByRole('button', { name: 'Add holiday' }).click()
      await days(form).last().fill(date)
      await form.getByRole('button', { name: 'Save', exact: true }).first().click()
      await form.getByText('Saved', { exact: false }).first().waitFor()
    }
    const reasons = page.getByLabel('Reasons for cancellations')
    await reasons.fill('Weather')
    const stored = await starts()
    await addHoliday(other.page, '24.12.2026')
    await waitForValue(starts, [...stored, '24/12/2026'])
    assert.equal(await reasons.inputValue(), 'Weather')
    await addHoliday(page, '31.12.2026')
    await page.reload()
    await waitForValue(starts, [...stored, '24/12/2026', '31/12/2026'])
    assert.equal(await reasons.inputValue(), 'Weather')
  })
  test('a date of a provider: the opened one is changed, also after another was removed before it', async (t) => {
    const [one, other] = [await open('admin'), await open('manager')]
    t.after(() => Promise.all([one.context.close(), other.context.close()]))
    for (const { page } of [one, other]) await openProvider(page, ben, 'dates')
    const { page } = one
    const listOn = (shown: Page) => shown.getByRole('region', { name: 'Overrides and time off this year' })
    const entry = (day: number) => listOn(page).getByRole('button', { name: new RegExp(`^${day} Dec`) })
    const remove = async (day: number): Promise<void> => {
      await other.page.getByRole('button', { name: new RegExp(`^Remove: ${day} Dec`) }).click()
      const shown = page.getByRole('button', { name: new RegExp(`^Remove: ${day} Dec`), includeHidden: true })
      await shown.waitFor({ state: 'detached' })
    }
    const dialog = page.getByRole('dialog', { name: 'Edit override' })
    await entry(25).click()
    await remove(24)
    await dialog.getByText('Other hours', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    // A user who removes what another has changed is refused until the change is shown.
    for (const shown of [page, other.page]) {
      const entries = () => listOn(shown).getByRole('button').filter({ hasText: '·' }).allInnerTexts()
      await waitForValue(entries, ['25 Dec 2026 · 09:00-17:00', '27 Dec 2026 · 08:00-18:00'])
    }
    await entry(25).click()
    await remove(25)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Another user has changed or removed this override').waitFor()
    assert.deepEqual([...one.errors, ...other.errors], [])
  })

  test('a service of the booking page: saving and undoing leave the fields that another changed', async (t) => {
    const [{ page, context }, other] = [await open('admin'), await open('manager')]
    t.after(() => Promise.all([context.close(), other.context.close()]))
    for (const form of [page, other.page]) {
      await navigate(form, '/settings/booking-page')
      await form.getByRole('button', { name: 'Edit: plain' }).click()
    }
    const save = async (form: Page, field: string, value: string): Promise<void> => {
      await form.getByRole('dialog').getByLabel(field).fill(value)
      await form.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await form.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await save(other.page, 'Heading in the list', 'Hair')
    await save(page, 'Last part of the address', 'plain-hair')
    const link = page.getByRole('link', { name: /\/book\/plain-hair\/$/ })
    await link.waitFor()
    await pressUndo(page, 'Saved.')
    await link.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit: plain' }).click()
    assert.equal(await page.getByRole('dialog').getByLabel('Heading in the list').inputValue(), 'Hair')
  })
  test('a coupon: its dialog leaves it switched off when another user switched it off', async (t) => {
    const [{ page, context }, other] = [await open('admin'), await open('manager')]
    t.after(() => Promise.all([context.close(), other.context.close()]))
    await navigate(page, '/settings/payments')
    await page.getByRole('button', { name: 'Add code' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Discount code').fill('SPRING')
    await dialog.getByLabel('A percentage', { exact: true }).last().fill('10')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit SPRING' }).click()
    await navigate(other.page, '/settings/payments')
    await other.page.getByRole('button', { name: 'Switch off SPRING' }).click()
    await other.page.getByText('Switched off', { exact: true }).waitFor()
    await dialog.getByLabel('Uses in all').fill('5')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('10% · 0 of 5 uses').waitFor()
    await page.getByText('Switched off', { exact: true }).waitFor()
  })

  test('a reservation: a move from a dialog that was opened before the other moved it is refused', async (t) => {
    const window = { min_timestamp: now + 86_400, max_timestamp: now + 8 * 86_400 }
    const { id } = await bookForJo(service, { ...window, providers: ana })
    const { page, context, errors } = await openPanel(browser, service, `/reservations?when=all&open=${id}`, {
      as: 'manager@clinic.example',
    })
    t.after(() => context.close())
    const drawer = page.getByRole('dialog', { name: 'Jo', exact: true })
    await drawer.getByRole('button', { name: 'Move', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Move the booking of Jo' })
    await form.getByRole('radio').nth(2).press('Space')
    const moved = await service.call('POST', '/reservations/edit/', { body: { id, providerId: ben } })
    assert.equal(moved.status, 200, moved.text)
    await page.getByRole('dialog', { name: 'Jo', includeHidden: true }).getByText('Ben', { exact: true }).waitFor()
    await form.getByRole('button', { name: 'Move', exact: true }).click()
    const stays = page.getByRole('dialog', { name: 'Couldn’t move this booking' })
    await stays.getByText(/^Changed again since: Provider\./).waitFor()
    const { body } = await service.call('GET', '/reservations/get/', { query: { providers: ben } })
    assert.deepEqual(
      body.response.map((one) => one.id),
      [id],
    )
    assert.deepEqual(errors, [])
  })
})
