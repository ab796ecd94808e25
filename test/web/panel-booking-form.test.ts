import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { dayLong, now, standardSite } from '../support/clinic.ts'
import {
  assertAccessible,
  bookForJo,
  navigate,
  openPanel,
  type PanelPage,
  startPanelService,
} from '../support/panel.ts'
import type { ServiceProcess } from '../support/service.ts'
import { present } from '../support/test-site.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const hostile = '"><img src=x onerror=alert(1)>{{label}} \u202Eright'
const form = [
  { key: 'allergies', label: hostile, kind: 'choice', options: ['None', hostile], help: hostile, required: true },
  { key: 'which', label: 'Which?', kind: 'text', when: { field: 'allergies', is: hostile } },
  { key: 'wishes', label: 'Wishes', kind: 'choices', options: ['By the window', 'Quiet'] },
  { key: 'since', label: 'Since', kind: 'date' },
  { key: 'age', label: 'Age', kind: 'number' },
]
const site = {
  ...standardSite,
  services: [{ key: 'asked', name: 'Asked', form }, ...standardSite.services],
}

describe('the booking form in the panel', { skip: chromiumProgram() ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site, now }, 1))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const enter = async (path: string, look: Parameters<typeof openPanel>[3] = {}): Promise<PanelPage> => {
    return openPanel(browser, service, path, { ...look, as: 'manager@clinic.example' })
  }
  const idOf = async (name: string): Promise<string> => {
    const { body } = await service.call('GET', '/services/get/')
    return String(present(body.response.find((one) => one.name === name)).id)
  }
  const formOf = async (id: string) => {
    const { body } = await service.call('GET', '/services/get/', { query: { full: true } })
    return Object(body.response.find((one) => one.id === id)).form
  }
  const choose = async (within: Page | Locator, page: Page, label: string, option: string): Promise<void> => {
    await within.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const)
    test(`is accessible in the editor, ${width} pixels wide, ${colorScheme}`, async (t) => {
      const { page, context, errors } = await enter(`/services?open=${await idOf('Asked')}`, { width, colorScheme })
      t.after(() => context.close())
      await page.getByRole('region', { name: 'Preview of the form' }).waitFor()
      await page.getByRole('button', { name: 'Which?', expanded: false }).click()
      await page.getByRole('combobox', { name: 'Show only for this answer' }).waitFor()
      await assertAccessible(page, 'the booking form')
      assert.deepEqual(errors, [])
    })

  test('is edited, previewed, and refused with an error beside the field', async (t) => {
    const id = await idOf('plain')
    const { page, context, errors } = await enter(`/services?open=${id}`)
    t.after(() => context.close())
    const group = page.getByRole('group', { name: 'Booking form' })
    await group.getByRole('button', { name: 'Add field' }).focus()
    await page.keyboard.press('Enter')
    await group.getByRole('textbox', { name: 'Question' }).focus()
    await page.keyboard.type('Hair length')
    await waitForValue(() => group.getByRole('textbox', { name: 'Key in the API' }).inputValue(), 'hairLength')
    await choose(group, page, 'Answer type', 'Single choice')
    await page.getByRole('button', { name: 'Save' }).click()
    await group.getByText('Add the options to choose from.').waitFor()
    await group.getByRole('combobox', { name: 'Options' }).focus()
    for (const option of ['Short', 'Long']) {
      await page.keyboard.type(option)
      await page.keyboard.press('Enter')
    }
    await group.getByRole('button', { name: 'Add field' }).click()
    await group.getByRole('textbox', { name: 'Question' }).fill('Cut before?')
    await choose(group, page, 'Show only for this answer', 'Hair length')
    await choose(group, page, 'Answer', 'Long')
    await group.getByRole('switch', { name: 'Required' }).click()
    const preview = page.getByRole('region', { name: 'Preview of the form' })
    await waitForValue(() => preview.getByRole('textbox', { name: 'Cut before?' }).count(), 0)
    await choose(preview, page, 'Hair length', 'Long')
    await preview.getByRole('textbox', { name: 'Cut before?' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    const made = await formOf(id)
    assert.deepEqual(made[0].options, ['Short', 'Long'])
    assert.deepEqual(made[1], {
      key: 'cutBefore',
      label: 'Cut before?',
      kind: 'text',
      help: '',
      required: true,
      options: [],
      when: { field: 'hairLength', is: 'Long' },
    })
    const undone = page.waitForResponse((response) => response.url().endsWith('/services/edit/') && response.ok())
    await page.getByRole('button', { name: 'Undo' }).click()
    await undone
    assert.equal(await formOf(id), undefined)
    assert.deepEqual(errors, [])
  })

  test('is answered in the panel, shown with the reservation, and corrected', async (t) => {
    const id = await idOf('Asked')
    const { page, context, errors } = await enter('/calendar?date=2026-10-06')
    t.after(() => context.close())
    await page.getByRole('button', { name: 'New booking' }).click()
    const dialog = page.getByRole('dialog')
    await choose(dialog, page, 'Service', 'Asked')
    await choose(dialog, page, 'Provider', 'Ana')
    await dialog.getByRole('textbox', { name: /^Start \(/ }).fill('2026-10-06T10:00')
    await dialog.getByRole('combobox', { name: 'Customer' }).fill('Jo')
    await page.getByRole('option', { name: /^Jo/ }).first().click()
    await dialog.getByRole('textbox', { name: 'Age' }).fill('41')
    await dialog.getByRole('button', { name: 'Book' }).click()
    await dialog.getByText('Is required for the booking.').waitFor()
    await assertAccessible(page, 'booking')
    await choose(dialog, page, hostile, hostile)
    await dialog.getByRole('textbox', { name: 'Which?' }).fill('Nuts')
    await dialog.getByRole('checkbox', { name: 'Quiet' }).check()
    await dialog.getByRole('button', { name: 'Book' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { body } = await service.call('GET', '/reservations/get/', {
      query: { full: true, past: true, services: id },
    })
    const [made] = body.response
    assert.deepEqual(made?.data, { allergies: hostile, which: 'Nuts', wishes: ['Quiet'], age: 41 })
    await navigate(page, `/reservations?open=${made?.id}`)
    await page.getByText('Which?').waitFor()
    await page.getByRole('button', { name: 'Edit answers' }).click()
    const answers = page.getByRole('dialog', { name: 'Edit answers' })
    await answers.getByRole('textbox', { name: 'Which?' }).fill('Pollen')
    await answers.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Pollen').waitFor()
    assert.deepEqual(errors, [])
  })
  test('stores a number with a decimal point or comma as a user types it', async (t) => {
    const window = { min_timestamp: now + dayLong, max_timestamp: now + 8 * dayLong }
    const { id } = await bookForJo(service, window, 'Asked')
    const { page, context, errors } = await enter(`/reservations?open=${id}`)
    t.after(() => context.close())
    const dialog = page.getByRole('dialog', { name: 'Edit answers' })
    for (const [typed, age] of [
      ['1,05', 1.05],
      ['0.5', 0.5],
    ] as const) {
      await page.getByRole('button', { name: 'Edit answers' }).click()
      await dialog.getByRole('textbox', { name: 'Age' }).fill('')
      await dialog.getByRole('textbox', { name: 'Age' }).pressSequentially(typed)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      const { body } = await service.call('GET', '/reservations/get/', { query: { full: true } })
      assert.deepEqual(body.response.find((one) => one.id === id)?.data, { age })
    }
    assert.deepEqual(errors, [])
  })
  test('a refused field that the user collapsed opens again', async (t) => {
    const { page, context, errors } = await enter(`/services?open=${await idOf('plain')}`)
    t.after(() => context.close())
    const group = page.getByRole('group', { name: 'Booking form' })
    await group.getByRole('button', { name: 'Add field' }).click()
    await group.getByRole('textbox', { name: 'Question' }).fill('Colour')
    await choose(group, page, 'Answer type', 'Single choice')
    await group.getByRole('button', { name: 'Colour', expanded: true }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await group.getByText('Add the options to choose from.').waitFor()
    assert.deepEqual(errors, [])
  })
})
