import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, standardSite } from '../support/clinic.ts'
import {
  bookFirst,
  bookForJo,
  endSessionAt,
  navigate,
  openPanel,
  password,
  startPanelService,
} from '../support/panel.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()

describe('dialogs above each other', {
  skip: program ? false : 'Chromium is not installed',
  timeout: 600_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  let id: string
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: standardSite }, ana))
    id = await bookFirst(service)
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const open = (path: string, more: object = {}) =>
    openPanel(browser, service, path, { as: 'admin@clinic.example', ...more })
  const waitForFocus = (locator: Locator): Promise<void> =>
    waitForValue(() => locator.evaluate((element) => Object(element).matches(':focus')), true)

  /** Asserts that a dialog asks before each way of closing it, and is still open when the question is cancelled. */
  const assertAsks = async (page: Page, dialog: Locator): Promise<void> => {
    const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
    const attempts = [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 400),
      () => dialog.locator('.mantine-Modal-close').click(),
    ]
    for (const attempt of attempts) {
      await attempt()
      await question.getByRole('button', { name: 'Cancel' }).click()
      await question.waitFor({ state: 'detached' })
      assert.ok(await dialog.isVisible())
    }
  }

  test('Escape closes the topmost one only, and the focus returns to where it was', async (t) => {
    const { page, context, errors } = await open('/reservations?when=all')
    t.after(() => context.close())
    const row = page.getByRole('button', { name: 'Jo', exact: true })
    await row.click()
    const drawer = page.getByRole('dialog', { name: 'Jo', exact: true })
    await drawer.getByRole('button', { name: 'Add a note' }).click()
    await drawer.getByRole('textbox', { name: 'Note' }).fill('Brings a dog')
    const move = drawer.getByRole('button', { name: 'Move' })
    await move.click()
    const dialog = page.getByRole('dialog', { name: /^Move/ })
    // The first Escape closes the open list of a select inside of the dialog.
    await dialog.getByRole('combobox', { name: 'Provider' }).click()
    await page.getByRole('option', { name: 'Any provider' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('option', { name: 'Any provider' }).waitFor({ state: 'hidden' })
    assert.equal(await dialog.count(), 1)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await waitForFocus(move)
    assert.equal(await drawer.getByRole('textbox', { name: 'Note' }).inputValue(), 'Brings a dog')
    await drawer.getByRole('button', { name: 'Cancel reservation' }).press('Enter')
    const asked = page.getByRole('dialog', { name: 'Cancel this reservation?' })
    // The question takes the focus in a timer; Enter in its field would cancel the reservation.
    await asked.locator(':focus').waitFor()
    await asked.getByRole('button', { name: 'Keep' }).press('Enter')
    await waitForFocus(drawer.getByRole('button', { name: 'Cancel reservation' }))
    // The drawer asks about the note before it closes, and the question closes by Escape like any dialog.
    const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
    await page.keyboard.press('Escape')
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    assert.equal(await drawer.getByRole('textbox', { name: 'Note' }).inputValue(), 'Brings a dog')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard changes' }).press('Enter')
    await drawer.waitFor({ state: 'detached' })
    await question.waitFor({ state: 'detached' })
    await waitForFocus(row)
    assert.deepEqual(errors, [])
  })

  test('a dialog asks before it discards what was typed, unless it was saved or cancelled', async (t) => {
    const { page, context, errors } = await open('/customers', { alone: true })
    t.after(() => context.close())
    const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
    const add = page.getByRole('dialog', { name: 'Add customer' })
    const opened = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Add customer' }).click()
      if (name !== '') await add.getByRole('textbox', { name: 'Name' }).fill(name)
      else await add.waitFor()
    }
    await opened('')
    await page.keyboard.press('Escape')
    await add.waitFor({ state: 'detached' })
    await opened('Ada')
    await assertAsks(page, add)
    assert.equal(await add.getByRole('textbox', { name: 'Name' }).inputValue(), 'Ada')
    await add.getByRole('button', { name: 'Cancel' }).click()
    await add.waitFor({ state: 'detached' })
    await opened('Ada')
    await add.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com')
    await add.getByRole('button', { name: 'Add', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Ada', exact: true })
    await drawer.getByRole('button', { name: 'Edit', exact: true }).click()
    await drawer.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
    await drawer.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog', { name: 'Ada Lovelace' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').first().waitFor({ state: 'detached' })
    assert.equal(await question.count(), 0)
    assert.deepEqual(errors, [])
  })

  test('an error is scrolled into view between the header and the buttons of a dialog', async (t) => {
    const { page, context, errors } = await open('/customers', { width: 360 })
    t.after(() => context.close())
    await page.setViewportSize({ width: 360, height: 480 })
    await page.getByRole('button', { name: 'Add customer' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add customer' })
    // The name, which is above what is visible after this field, is missing.
    await dialog.getByRole('textbox', { name: 'Language' }).fill('de')
    const add = dialog.getByRole('button', { name: 'Add', exact: true })
    const isShown = (text: Locator): Promise<boolean> =>
      text.evaluate((element) => {
        const { left, top, bottom, height } = Object(element).getBoundingClientRect()
        const view = Object(element).ownerDocument
        return (
          height > 0 && [top + 1, bottom - 1].every((y) => Object(element).contains(view.elementFromPoint(left + 2, y)))
        )
      })
    await add.click()
    const error = dialog.locator('.mantine-InputWrapper-error').first()
    await error.waitFor()
    await waitForValue(() => isShown(error), true)
    assert.deepEqual(errors, [])
  })

  test('the move of a reservation asks before it discards another time', async (t) => {
    const { page, context, errors } = await open(`/reservations?when=all&open=${id}`)
    t.after(() => context.close())
    const move = page.getByRole('button', { name: 'Move', exact: true })
    const dialog = page.getByRole('dialog', { name: /^Move/ })
    const start = dialog.getByRole('textbox', { name: /^Start \(/ })
    await move.click()
    await start.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await move.click()
    await start.fill('2030-01-15T10:00')
    await assertAsks(page, dialog)
    assert.match(await start.inputValue(), /2030/)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(errors, [])
  })

  test('the import of holidays asks before it discards what was chosen', async (t) => {
    const { page, context, errors } = await open('/settings/policies')
    t.after(() => context.close())
    const add = page.getByRole('button', { name: 'Add public holidays' })
    const dialog = page.getByRole('dialog', { name: 'Add public holidays' })
    const country = dialog.getByRole('combobox', { name: 'Country' })
    await add.click()
    await country.fill('Esto')
    await page.getByRole('option', { name: 'Estonia' }).click()
    await dialog
      .getByRole('checkbox', { name: /Christmas/ })
      .first()
      .uncheck()
    await assertAsks(page, dialog)
    assert.equal(await country.inputValue(), 'Estonia')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(errors, [])
  })

  test('a dialog that shows a secret once closes by its button alone, also before the secret arrives', async (t) => {
    const { page, context, errors } = await open('/settings/api', { alone: true })
    t.after(() => context.close())
    const released = Promise.withResolvers<void>()
    await page.route('**/admin/api/tokens/add/', (route) => released.promise.then(() => route.continue()))
    await page.getByRole('button', { name: 'Create token' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Till')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.locator('button[type="submit"][data-loading]').waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 400)
    assert.ok(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled())
    released.resolve()
    await dialog.getByRole('textbox', { name: 'Secret', exact: true }).waitFor()
    const done = dialog.getByRole('button', { name: 'Close', exact: true }).last()
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 400)
    assert.ok(await done.isVisible())
    await done.click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(errors, [])
  })

  test('the focus returns to the button of the menu that opened a dialog', async (t) => {
    const { page, context, errors } = await open('/customers')
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Jo', exact: true }).click()
    const menu = page
      .getByRole('dialog', { name: 'Jo', exact: true })
      .getByRole('button', { name: 'Actions', exact: true })
    await menu.click()
    await page.getByRole('menuitem', { name: /Merge/ }).click()
    const dialog = page.getByRole('dialog', { name: /Merge/ })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await waitForFocus(menu)
    assert.deepEqual(errors, [])
  })

  test('a link and the Back button ask before they discard what was typed in a drawer', async (t) => {
    const { page, context, errors } = await open('/reservations?when=all')
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Jo', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Jo', exact: true })
    await drawer.getByRole('button', { name: 'Add a note' }).click()
    const note = drawer.getByRole('textbox', { name: 'Note' })
    await note.fill('Brings a horse')
    const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
    const link = drawer.getByRole('link', { name: 'Jo', exact: true })
    for (const leave of [() => link.click(), () => page.evaluate('history.back()')]) {
      await leave()
      await question.getByRole('button', { name: 'Cancel' }).click()
      await question.waitFor({ state: 'detached' })
      assert.equal(await note.inputValue(), 'Brings a horse')
    }
    await link.click()
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    await page.getByRole('dialog', { name: 'Jo', exact: true }).getByText('jo@example.com').first().waitFor()
    assert.deepEqual(errors, [])
  })

  test('a session that ends while a form is open loses nothing that was typed', async (t) => {
    const { page, context } = await open('/start', { alone: true })
    t.after(() => context.close())
    await navigate(page, `/reservations?when=all&open=${id}`)
    const drawer = page.getByRole('dialog', { name: 'Jo', exact: true })
    await drawer.getByRole('button', { name: 'Add a note' }).click()
    await drawer.getByRole('textbox', { name: 'Note' }).fill('Brings a cat')
    await endSessionAt(page, '/reservations/note/')
    await drawer.getByRole('button', { name: 'Save' }).click()
    const signIn = page.getByRole('dialog', { name: 'Your session has ended' })
    await waitForFocus(signIn.locator(':focus'))
    await page.keyboard.press('Escape')
    await signIn.getByLabel('Password', { exact: true }).fill(password)
    await signIn.getByRole('button', { name: 'Sign in', exact: true }).click()
    await signIn.waitFor({ state: 'hidden' })
    assert.equal(await drawer.getByRole('textbox', { name: 'Note' }).inputValue(), 'Brings a cat')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Note saved.').waitFor()
  })

  test('a drawer says that what its address names does not exist', async (t) => {
    const { page, context } = await open('/reservations?when=all&open=r_none')
    t.after(() => context.close())
    const alert = page.getByRole('dialog').getByRole('alert')
    await alert.getByText('Not found').waitFor()
    assert.equal(await alert.getByRole('button').count(), 0)
  })

  test('a move is not submitted while its end cannot be read', async (t) => {
    const { page, context, errors } = await open(`/reservations?when=all&open=${id}`)
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /^Move/ })
    await dialog.getByRole('textbox', { name: 'End' }).fill('15:30')
    await page.keyboard.press('Enter')
    await dialog.getByText('Enter a date and time, for example').waitFor()
    assert.deepEqual(errors, [])
  })

  test('a move before its start was checked announces an end after that start', async (t) => {
    const { page, context, errors } = await open(`/reservations?when=all&open=${id}`)
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /^Move/ })
    await waitForValue(() => dialog.getByRole('textbox', { name: 'End' }).inputValue(), /\d/)
    // The request for the verdict on the new start is never answered.
    await page.route(/\/calendar\/verdict\//, () => {})
    const date = new Date(Date.now() + 12 * 86_400_000).toISOString().slice(0, 10)
    await dialog.getByRole('textbox', { name: /^Start \(/ }).fill(`${date}T10:00`)
    const announced = page.waitForRequest(/\/notifications\/announcement\//)
    await page.keyboard.press('Enter')
    const { searchParams } = new URL((await announced).url())
    assert.equal(Number(searchParams.get('end')) - Number(searchParams.get('start')), 1_800)
    assert.deepEqual(errors, [])
  })

  test('a note that is typed for one reservation is not shown with the next one', async (t) => {
    const clock = Math.floor(Date.now() / 1000)
    const window = { min_timestamp: clock + 86_400, max_timestamp: clock + 8 * 86_400 }
    const next = await bookForJo(service, window, 'group')
    const { page, context, errors } = await open(`/reservations?when=all&open=${next.id}`)
    t.after(() => context.close())
    const drawer = page.getByRole('dialog', { name: 'Jo', exact: true })
    // Opens a reservation as the command palette does, without a reload.
    const show = async (shown: string, serviceName: string): Promise<void> => {
      await page.evaluate(`history.pushState({}, '', '?open=${shown}'); dispatchEvent(new PopStateEvent('popstate'))`)
      await drawer.getByText(serviceName, { exact: true }).first().waitFor()
    }
    await show(id, 'plain')
    await show(next.id, 'group')
    await drawer.getByRole('button', { name: 'Add a note' }).click()
    await drawer.getByRole('textbox', { name: 'Note' }).fill('Brings a bird')
    await show(id, 'plain')
    assert.equal(await drawer.getByRole('textbox', { name: 'Note' }).count(), 0)
    assert.deepEqual(errors, [])
  })
})
